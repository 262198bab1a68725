import type { Doing } from '#web/users/users.tsx'

const list = new Intl.ListFormat('pt-BR', { type: 'conjunction' })

/** As colleagues call each other. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name
}

const namesOf = (names: readonly string[]) => list.format(names.map(firstName))

/** Who has a chat open. @param names at least one */
export function viewersText(names: readonly string[]): string {
  return `${namesOf(names)} ${names.length === 1 ? 'está' : 'estão'} com esta conversa aberta`
}

/** What the client does; undefined: nothing. */
export function clientText(doings: readonly Doing[]): string | undefined {
  const activity = doings.find(({ by }) => by === null)?.activity
  if (activity === undefined) return undefined
  return activity === 'recording' ? 'gravando áudio…' : 'digitando…'
}

/** Which colleagues type; undefined: none. */
export function typistsText(doings: readonly Doing[]): string | undefined {
  const names = doings.flatMap(({ by }) => (by ? [by.name] : []))
  return names.length > 0 ? `${typistsOf(names)}…` : undefined
}

/** @param names at least one */
export function typistsOf(names: readonly string[]): string {
  return `${namesOf(names)} ${names.length === 1 ? 'está' : 'estão'} digitando`
}
