"""Uploads a file to a Ferry server over HTTP, and prints it as it comes back.

Usage: files_http.py http://HOST:7080/files/PATH FILE
"""

import shutil
import sys
import urllib.request

url, name = sys.argv[1:]
with open(name, "rb") as file:
    # A file has no length for urllib: it is sent in chunks.
    urllib.request.urlopen(urllib.request.Request(url, data=file, method="PUT")).close()
with urllib.request.urlopen(url) as response:
    shutil.copyfileobj(response, sys.stdout.buffer)
