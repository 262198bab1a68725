import { hashKey } from '@tanstack/react-query'
import * as z from 'zod/mini'
import {
  type Inherited,
  type ManagedSector,
  type SectorChange,
  sectorForm,
} from '#shared/sectors/managed-sectors.ts'
import { type SectorSettings, sectorSettings } from '#shared/settings/own-settings.ts'
import { systemSettings } from '#shared/settings/settings.ts'
import { groups, ownChange, ownGroups } from '#web/settings/numbers/groups.ts'

const settingKeys = Object.keys(sectorSettings.shape) as (keyof SectorSettings)[]

/** What stands in the form: the sector, and of each setting what applies to it. */
export const sectorValues = z.object({
  ...sectorForm.shape,
  ...sectorSettings.shape,
  timezone: systemSettings.shape.timezone,
  /** The groups of settings that are its own, sorted. */
  own: z.array(z.string()),
})
export type SectorValues = z.infer<typeof sectorValues>
export type Key = keyof SectorValues

/** The groups of settings that a sector may have of its own, with what they are called here. */
const titles = {
  hours: 'Horário',
  autoReply: 'Fora do horário',
  queue: 'Fila',
  warningMessage: 'Saudação ao assumir',
  transferMessage: 'Transferência',
  finalizationMessage: 'Finalização',
  rating: 'Avaliação',
  inactivity: 'Inatividade',
  operatorInitiatedWarningMessage: 'Conversa iniciada por nós',
  reason: 'Motivo ao finalizar',
  tag: 'Etiqueta ao finalizar',
} as const

export const hoursGroup = 'hours'
/** Of what whoever finalizes is asked for. */
export const askGroups = [
  {
    name: 'reason',
    key: 'askReason',
    title: titles.reason,
    description: 'Se quem finaliza é perguntado pelo motivo.',
  },
  {
    name: 'tag',
    key: 'askTag',
    title: titles.tag,
    description: 'Se quem finaliza é perguntado por uma etiqueta, onde a conversa não tem.',
  },
] as const

/** Groups that are no texts. */
const isApart = (name: string) => name === hoursGroup || askGroups.some((group) => group.name === name)

export interface TextGroup {
  name: string
  title: string
  keys: readonly (keyof SectorSettings)[]
  /** Its text, or the first of them. */
  text: keyof SectorSettings
}

const isOfSectors = (key: string): key is keyof SectorSettings => (settingKeys as string[]).includes(key)
const keysOf = (name: string) => (groups.find((group) => group.name === name)?.keys ?? []).filter(isOfSectors)

export const textGroups: readonly TextGroup[] = Object.entries(titles)
  .filter(([name]) => !isApart(name))
  .map(([name, title]) => {
    const keys = keysOf(name)
    return {
      name,
      title,
      keys,
      text: keys.find((key) => key.endsWith('Message')) ?? keys[0] ?? 'queueMessage',
    }
  })

/** Whose a setting is that is not the sector's: of the only number that has one, else the installation's. */
export function inheritedGroup(
  name: string,
  numberIds: readonly number[] | null,
  { installation, numbers }: Inherited,
): { from: 'number' | 'numbers' | 'installation'; values: Partial<SectorSettings> } {
  const keys = keysOf(name)
  const served = numbers.filter(({ id }) => numberIds === null || numberIds.includes(id))
  const having = served.filter(({ own }) => keys.some((key) => own[key] !== undefined))
  const pick = (values: Partial<SectorSettings>) =>
    Object.fromEntries(keys.map((key) => [key, values[key] ?? installation[key]])) as Partial<SectorSettings>
  const own = having[0]?.own
  if (own && having.length === served.length && having.every((one) => isSame(pick(one.own), pick(own))))
    return { from: 'number', values: pick(own) }
  return { from: having.length > 0 ? 'numbers' : 'installation', values: pick(installation) }
}

export function valuesOf(sector: ManagedSector, inherited: Inherited): SectorValues {
  const { name, color, description, isActive, numberIds, maxActivePerOperator, defaultOf, people } = sector
  const settings = Object.assign(
    {},
    ...Object.keys(titles).map((group) => inheritedGroup(group, numberIds, inherited).values),
    sector.own,
  ) as SectorSettings
  return {
    name,
    color,
    description,
    isActive,
    numberIds,
    maxActivePerOperator,
    defaultOf,
    people: people.map(({ userId, isLead }) => ({ userId, isLead })),
    ...settings,
    timezone: inherited.installation.timezone,
    own: ownGroups(sector.own),
  }
}

const isSame = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other])

/** People in another order are the same. */
const comparable = (values: SectorValues, key: Key) =>
  key === 'people' ? values.people.toSorted((a, b) => a.userId - b.userId) : values[key]

const comparedKeys = (Object.keys(sectorValues.shape) as Key[]).filter((key) => key !== 'timezone')

/** The fields that are others; of a group that is not the sector's own none. */
export function changedKeys(now: SectorValues, from: SectorValues): Key[] {
  const foreign = Object.keys(titles).filter((name) => !now.own.includes(name) && !from.own.includes(name))
  const hidden = foreign.flatMap<string>(keysOf)
  return comparedKeys.filter(
    (key) => !hidden.includes(key) && !isSame(comparable(now, key), comparable(from, key)),
  )
}

const fieldWords: Partial<Record<Key, string>> = {
  name: 'nome',
  color: 'cor',
  description: 'descrição',
  isActive: 'ativo',
  numberIds: 'números',
  defaultOf: 'setor padrão',
  maxActivePerOperator: 'limite por pessoa',
  people: 'pessoas',
}

/** What is unsaved, in words: 'descrição', 'texto de transferência'. */
export function changeWords(now: SectorValues, from: SectorValues): string[] {
  const changed = changedKeys(now, from)
  const fields = changed.flatMap((key) => fieldWords[key] ?? [])
  const settings = Object.entries(titles).flatMap(([name, title]) => {
    const isMoved = now.own.includes(name) !== from.own.includes(name)
    if (!isMoved && !keysOf(name).some((key) => changed.includes(key))) return []
    const words = title.toLocaleLowerCase('pt-BR')
    return isApart(name) ? words : `texto de ${words}`
  })
  return [...fields, ...settings]
}

/** What is to be sent so that the sector has these values: only what was changed. */
export function changeOf(now: SectorValues, from: SectorValues): SectorChange {
  const changed = changedKeys(now, from)
  const fields = Object.fromEntries(
    changed.filter((key) => key in fieldWords).map((key) => [key, now[key]]),
  ) as SectorChange
  const own = ownChange(now, changed, from.own)
  return { ...fields, ...(Object.keys(own).length > 0 && { own: own as SectorChange['own'] }) }
}

/** All fields that are others, also of groups that are not the sector's own. */
export const movedKeys = (to: SectorValues, from: SectorValues): Key[] =>
  (Object.keys(sectorValues.shape) as Key[]).filter(
    (key) => !isSame(comparable(to, key), comparable(from, key)),
  )

/** What somebody else has made of a field that was changed here, too. That both are alike is no dispute. */
export const contestedKeys = (now: SectorValues, from: SectorValues, stored: SectorValues): Key[] => {
  const moved = movedKeys(stored, from)
  return changedKeys(now, from).filter(
    // Of the groups that are its own, two who add or remove the same one agree.
    (key) => key !== 'own' && moved.includes(key) && !isSame(comparable(stored, key), comparable(now, key)),
  )
}

export const pickKeys = (values: SectorValues, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, values[key]])) as Partial<SectorValues>

/** The values that are stored, with these changes of the ones before. */
export function withChanges(
  stored: SectorValues,
  { now, from, kept }: { now: SectorValues; from: SectorValues; kept: readonly Key[] },
): SectorValues {
  const own = stored.own.filter((name) => now.own.includes(name) || !from.own.includes(name))
  const added = now.own.filter((name) => !from.own.includes(name) && !own.includes(name))
  // The values of a group that has become its own were not typed, and belong to it all the same.
  const taken = added.flatMap((name) => keysOf(name)) as Key[]
  return {
    ...stored,
    ...(kept.includes('own') && pickKeys(now, taken)),
    ...pickKeys(now, kept),
    own: kept.includes('own') ? [...own, ...added].toSorted() : stored.own,
  }
}
