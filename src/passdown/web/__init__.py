"""The pages: one repository on this machine, for a person with its token."""
