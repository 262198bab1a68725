import type { NumberSettings, NumberSettingsChange } from '#shared/settings/own-settings.ts'
import { type TextKey, textSettings } from '#web/settings/fields/texts.ts'

/** Settings that are a number's own together, or the installation's together. */
export interface Group {
  name: string
  title: string
  description: string
  keys: readonly (keyof NumberSettings)[]
}

const alone = (key: TextKey & keyof NumberSettings): Group => ({
  name: key,
  title: textSettings[key].label,
  description: textSettings[key].when,
  keys: [key],
})

/** All that a number may have of its own, in the order of the tabs of the installation. */
export const groups: readonly Group[] = [
  {
    name: 'hours',
    title: 'Horário',
    description: 'Dias, horas, almoço e exceções. O fuso é o da instalação.',
    keys: ['workingHours', 'lunchBreak', 'scheduleExceptions'],
  },
  {
    name: 'autoReply',
    title: 'Resposta automática',
    description: 'Vai uma vez por conversa, enquanto estiver fechado.',
    keys: ['isAutoReplyEnabled', 'autoReplyMessage'],
  },
  {
    name: 'preAttendance',
    title: 'Pré-atendimento',
    description: 'O que quem escreve escolhe antes de entrar na fila.',
    keys: [
      'preAttendanceEnabled',
      'preAttendanceMessage',
      'preAttendanceCancelMessage',
      'preAttendanceInvalidMessage',
      'sectorMenuEnabled',
      'sectorMenuMessage',
      'sectorMenuInvalidMessage',
      'sectorMenuCancel',
    ],
  },
  {
    name: 'queue',
    title: 'Mensagens da fila',
    description: 'Sem texto, nada é enviado.',
    keys: ['queueMessage', 'queuePositionUpdateMessage', 'queueWelcomeMessage'],
  },
  alone('warningMessage'),
  alone('operatorInitiatedWarningMessage'),
  alone('transferMessage'),
  alone('finalizationMessage'),
  {
    name: 'inactivity',
    title: 'Inatividade',
    description: 'O aviso antes, e o texto ao encerrar.',
    keys: ['inactivityWarningMessage', 'inactivityMessage'],
  },
  {
    name: 'rating',
    title: 'Avaliação',
    description: 'A nota que o cliente dá depois da finalização.',
    keys: ['ratingsEnabled', 'ratingMessage'],
  },
  {
    name: 'reason',
    title: 'Motivo ao finalizar',
    description: 'Se quem finaliza é perguntado pelo motivo.',
    keys: ['askReason'],
  },
  {
    name: 'tag',
    title: 'Etiqueta ao finalizar',
    description: 'Se quem finaliza é perguntado por uma etiqueta, onde a conversa não tem.',
    keys: ['askTag'],
  },
]

/** The groups of which a number has something of its own, in the order of the alphabet. */
export const ownGroups = (own: Partial<NumberSettings>): string[] =>
  groups
    .filter(({ keys }) => keys.some((key) => own[key] !== undefined))
    .map(({ name }) => name)
    .toSorted()

/**
 * What is to be stored so that a number has these values: of groups that become its own all of them, of
 * others those that were changed, and null for those of a group that is the installation's again.
 * @param before the groups that were its own
 */
export function ownChange(
  values: Partial<NumberSettings> & { own: readonly string[] },
  changed: readonly string[],
  before: readonly string[],
): NumberSettingsChange {
  const entries = groups.flatMap(({ name, keys }) => {
    const [was, is] = [before.includes(name), values.own.includes(name)]
    const touched = keys.filter((key) => changed.includes(key))
    const sent = was === is && (was || touched.length === 0) ? touched : keys
    return sent.map((key) => [key, was && !is ? null : values[key]] as const)
  })
  return Object.fromEntries(entries)
}
