"""Conversations that people bring: the exports of messengers and of assistants."""
