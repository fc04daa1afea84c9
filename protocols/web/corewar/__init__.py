"""Fights on the page: what may be asked for, and the worker's part that fights and films it."""
