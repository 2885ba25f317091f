"""The models that are played against: adapters, and a supervised process for each."""
