"""Puts this directory on the import path, so that every test can use ``support``."""
