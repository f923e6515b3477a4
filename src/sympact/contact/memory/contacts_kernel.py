"""The memory of contacts in kernels."""

from sympact.contact.memory.contacts import Contacts
from sympact.native.pointer import view

contacts_at = view(Contacts)
"""The memory whose table is at an address."""
