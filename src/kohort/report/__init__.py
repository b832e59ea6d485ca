"""Reports: facts (a dict) drawn as html, json and text."""
