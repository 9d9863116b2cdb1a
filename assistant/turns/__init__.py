"""Turns as they run on the server: started, followed, stopped and saved, whoever watches."""
