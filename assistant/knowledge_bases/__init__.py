"""Knowledge bases behind one protocol, and the unified functions that search programs call."""
