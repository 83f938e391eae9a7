"""Puts this directory on the import path, so that every test can use ``support``; gives every example time."""

from hypothesis import settings

settings.register_profile("any machine", settings(), deadline=None)  # a busy one takes long now and then
settings.load_profile("any machine")
