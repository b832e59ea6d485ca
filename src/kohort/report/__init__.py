"""Reports: facts (a dict) drawn as html, json and text."""

from kohort.report.html import html, public_html

__all__ = ["html", "public_html"]
