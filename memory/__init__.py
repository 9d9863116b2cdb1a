"""The personal memory: records (the truth), vectors and graph (views of it), documents and sessions."""
