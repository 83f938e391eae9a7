"""Puts this directory on the import path, so that every test can use ``support``."""

from hypothesis import settings

settings.register_profile("sanitizers", deadline=None)  # with them everything takes many times as long
