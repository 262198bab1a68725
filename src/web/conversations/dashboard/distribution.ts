import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { Operator } from '#shared/users/users.ts'

/** How many conversations somebody gets, and has then. */
export interface Share {
  operator: Operator
  open: number
  gets: number
}

/** Who receives each of some conversations. */
export interface Distribution {
  /** By the id of the conversation. */
  plan: ReadonlyMap<number, Operator>
  /** Those who get any, in the order of the team. */
  shares: Share[]
}

/**
 * Gives each conversation, the longest wait first, to whoever is on line as an operator, answers its number,
 * is in its sector and has the fewest open ones by then.
 * @param given in the order of their waits; those that nobody on line may have stay
 * @param open all open conversations
 * @returns undefined if nobody is on line for any of them
 */
export function distribute(
  given: readonly Conversation[],
  operators: readonly Operator[],
  open: readonly Conversation[],
  sectors: readonly Sector[],
): Distribution | undefined {
  const holders = new Set(given.map(({ assignedUserId }) => assignedUserId))
  const shares = operators
    .filter(({ id, role, presence }) => role === 'operator' && presence === 'online' && !holders.has(id))
    .map((operator): Share => {
      const held = open.filter(({ assignedUserId }) => assignedUserId === operator.id)
      return { operator, open: held.length, gets: 0 }
    })
  const plan = new Map<number, Operator>()
  for (const { id, instanceId, sectorId } of given) {
    const [first, ...others] = shares.filter(
      ({ operator }) =>
        (operator.numberIds?.includes(instanceId) ?? true) &&
        (sectorId === null || isInSector(sectors, sectorId, operator.id)),
    )
    if (!first) continue
    const least = others.reduce((a, b) => (b.open + b.gets < a.open + a.gets ? b : a), first)
    least.gets += 1
    plan.set(id, least.operator)
  }
  if (plan.size === 0 && given.length > 0) return undefined
  return { plan, shares: shares.filter(({ gets }) => gets > 0) }
}

export const isInSector = (sectors: readonly Sector[], sectorId: number, userId: number): boolean =>
  sectors.some(({ id, people }) => id === sectorId && people.some((person) => person.userId === userId))
