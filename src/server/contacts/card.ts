import type { Contact, ContactCard } from '#shared/contacts/contacts.ts'

export interface CardRow {
  id: number
  name: string
  phone: string | null
  category: string
  categoryColor: string
  companyId: number | null
  companyName: string | null
  avatarUrl: string | null
  isBlocked: boolean
}

/** Converts a contact's card for the API. */
export function toCard(row: CardRow): ContactCard {
  const { id, name, phone, category, categoryColor, companyId, companyName, avatarUrl, isBlocked } = row
  const company = companyId !== null && companyName !== null ? { id: companyId, name: companyName } : null
  return { id, name, phone, category, categoryColor, company, avatarUrl, isBlocked }
}

/** Converts a contact with all of its fields for the API. */
export function toContact(
  row: CardRow &
    Pick<Contact, 'email' | 'tags' | 'notes' | 'sectorId' | 'isActive'> & {
      erasedAt: Date | null
      createdAt: Date
      updatedAt: Date
    },
): Contact {
  const { email, tags, notes, companyId, sectorId, isActive, erasedAt, createdAt, updatedAt } = row
  return {
    ...toCard(row),
    email,
    tags,
    notes,
    companyId,
    sectorId,
    isActive,
    ...(erasedAt !== null && { isErased: true as const }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
