"""What a user asks of their memory in the chat: to forget, to take back, to tell what it holds, to sum up."""
