"""What everything else may use; imports nothing of ours."""
