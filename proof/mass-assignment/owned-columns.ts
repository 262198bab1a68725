import { administration } from './owned/administration.ts'
import { contacts } from './owned/contacts.ts'
import { conversations } from './owned/conversations.ts'
import type { Owned } from './owned/owned.ts'
import { people } from './owned/people.ts'

/** By the ids of the rows. A call that is not listed here, or takes a new name, makes the proof fail. */
export const owned: Readonly<Record<string, Owned>> = {
  ...people,
  ...conversations,
  ...contacts,
  ...administration,
}
