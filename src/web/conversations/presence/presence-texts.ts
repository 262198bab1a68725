import type { Typing } from '#web/users/users.tsx'

const list = new Intl.ListFormat('pt-BR', { type: 'conjunction' })

/** The first name, as colleagues address each other. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name
}

function namesOf(names: readonly string[]) {
  return list.format(names.map(firstName))
}

/** Who has the chat open. @param names at least one */
export function viewersText(names: readonly string[]): string {
  return `${namesOf(names)} ${names.length === 1 ? 'está' : 'estão'} com esta conversa aberta`
}

/** What the client is doing; undefined if nothing. */
export function clientText(typing: readonly Typing[]): string | undefined {
  const activity = typing.find(({ by }) => by === null)?.activity
  if (activity === undefined) return undefined
  return activity === 'recording' ? 'gravando áudio…' : 'digitando…'
}

/** The colleagues who are typing; undefined if none. */
export function typistsText(typing: readonly Typing[]): string | undefined {
  const names = typing.flatMap(({ by }) => (by ? [by.name] : []))
  return names.length > 0 ? `${typistsOf(names)}…` : undefined
}

/** @param names at least one */
export function typistsOf(names: readonly string[]): string {
  return `${namesOf(names)} ${names.length === 1 ? 'está' : 'estão'} digitando`
}
