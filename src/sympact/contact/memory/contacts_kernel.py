"""The memory of contacts as kernels see it."""

from sympact.contact.memory.contacts import Contacts
from sympact.native.pointer import view

contacts_at = view(Contacts)
"""The memory whose table is at an address."""
