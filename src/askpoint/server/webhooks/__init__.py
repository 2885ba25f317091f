"""Events told to other servers, signed."""
