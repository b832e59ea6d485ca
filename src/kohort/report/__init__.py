"""Reports: facts drawn as html and text."""

from kohort.report.html import html, public_html

__all__ = ["html", "public_html"]
