import { useQuery } from '@tanstack/react-query'
import type { MacroStep } from '#shared/macros/steps.ts'
import type { Mentioned } from '#shared/messages/mentions.ts'
import { mentionParts } from '#shared/notifications/mention-parts.ts'
import { contactQueries } from '#web/contacts/contacts.tsx'
import { useReasons } from '#web/reasons/reasons.tsx'
import { useSectors } from '#web/sectors/sectors.tsx'
import { useTags } from '#web/tags/tags.tsx'
import { userQueries } from '#web/users/users.tsx'

/** Something that a step may name. */
export interface Named {
  id: number
  name: string
  /** An inactive one, or one that has others within it, may not be chosen. */
  isOffered: boolean
}

/** What steps name, by the kind of the step; undefined while it is not known. */
export interface Known {
  tag: readonly Named[]
  category: readonly Named[] | undefined
  sector: readonly Named[] | undefined
  person: readonly Named[] | undefined
  finalize: readonly Named[]
}
export type NamingKind = keyof Known

export function useKnown(): Known {
  const tags = useTags().all
  const { living: sectors, areKnown: areSectorsKnown } = useSectors()
  const reasons = useReasons().all
  const categories = useQuery(contactQueries.categories()).data
  const people = useQuery(userQueries.operators()).data
  const parents = new Set(reasons.map(({ parentId }) => parentId))
  return {
    tag: tags.map(({ id, name, isActive }) => ({ id, name, isOffered: isActive })),
    category: categories?.map(({ id, name }) => ({ id, name, isOffered: true })),
    sector: areSectorsKnown
      ? sectors.map(({ id, name, isActive }) => ({ id, name, isOffered: isActive }))
      : undefined,
    person: people?.map(({ id, name }) => ({ id, name, isOffered: true })),
    finalize: reasons.map(({ id, name, parentId, isActive }) => ({
      id,
      name: [reasons.find((one) => one.id === parentId)?.name, name].filter(Boolean).join(' › '),
      isOffered: isActive && !parents.has(id),
    })),
  }
}

/** The id that a step names; null: none is chosen, or it is gone. undefined: it names nothing. */
export function idIn(step: MacroStep): number | null | undefined {
  switch (step.kind) {
    case 'tag':
      return step.tagId
    case 'category':
      return step.categoryId
    case 'sector':
      return step.sectorId
    case 'person':
      return step.userId
    case 'finalize':
      return step.reasonId
    default:
      return undefined
  }
}

const gone: Readonly<Record<NamingKind, [gone: string, off: string, choose: string]>> = {
  tag: ['A etiqueta não existe mais.', 'A etiqueta está inativa.', 'Escolha a etiqueta.'],
  category: ['A categoria não existe mais.', 'A categoria está inativa.', 'Escolha a categoria.'],
  sector: ['O setor não existe mais.', 'O setor está inativo.', 'Escolha o setor.'],
  person: ['A pessoa não existe mais ou está bloqueada.', '', 'Escolha a pessoa.'],
  finalize: ['O motivo não existe mais.', 'O motivo está inativo.', ''],
}

/** What is wrong with a step by itself; undefined: nothing. */
export function problemOf(step: MacroStep, known: Known): string | undefined {
  if (step.kind === 'text' || step.kind === 'note') {
    if (step.text.trim() === '') return 'Escreva o texto.'
    return step.kind === 'note' ? goneMention(step.mentions ?? [], known) : undefined
  }
  const id = idIn(step)
  if (id === undefined) return undefined
  const kind = step.kind as NamingKind
  if (id === null) return gone[kind][2] || undefined
  const all = known[kind]
  if (all === undefined) return undefined
  const found = all.find((one) => one.id === id)
  return found ? (found.isOffered ? undefined : gone[kind][1]) : gone[kind][0]
}

function goneMention(mentions: Mentioned, { person, sector }: Known): string | undefined {
  const isGone = (all: readonly Named[] | undefined, id: number | undefined) =>
    id !== undefined && all !== undefined && !all.some((one) => one.id === id)
  if (mentions.some(({ userId }) => isGone(person, userId)))
    return 'Uma pessoa mencionada não existe mais ou está bloqueada. Mude o texto.'
  if (mentions.some(({ sectorId }) => isGone(sector, sectorId)))
    return 'Um setor mencionado não existe mais. Mude o texto.'
  return undefined
}

/**
 * Whom the text of a note mentions: everybody whose name it has behind an '@'.
 * @param stored those of before, which stay while it is not known who there is
 */
export function mentionsIn(text: string, { person, sector }: Known, stored: Mentioned): Mentioned {
  const parts = mentionParts(
    text,
    [...(person ?? []), ...(sector ?? [])].map(({ name }) => name),
  )
  const written = new Set(
    parts.flatMap((part, at) =>
      // Not the beginning of a word: '@Anabela' is not Ana.
      part.isMention && !/^[\p{L}\p{N}]/u.test(parts[at + 1]?.text ?? '') ? part.text.slice(1) : [],
    ),
  )
  const isWritten = ({ name }: Named) => written.has(name)
  return [
    ...(person?.filter(isWritten).map(({ id: userId }) => ({ userId })) ??
      stored.filter(({ userId }) => userId !== undefined)),
    ...(sector?.filter(isWritten).map(({ id: sectorId }) => ({ sectorId })) ??
      stored.filter(({ sectorId }) => sectorId !== undefined)),
  ]
}
