import { fieldName } from '#shared/text/audit/field-texts.ts'
import { type Changes, listed, type Sentences } from '#shared/text/audit/telling.ts'

/** The nouns of its acts, as the audit log is filtered by them, and what each is about. */
export const groups = {
  assistant: { name: 'Inteligência artificial', place: 120, about: 'assistant' },
} as const

/**
 * What its acts are about, and what stands instead of the name of what is gone. Stored with every row, so a
 * key never changes.
 */
export const resources = {
  assistant: { name: 'Inteligência artificial', gone: 'inteligência artificial' },
} as const

/**
 * The details of each act: ids, codes, counts and values of no person. Without secrets, passwords, codes and
 * message texts.
 */
export interface Details {
  'assistant.update': {
    changes: Changes
    isTokenChanged: boolean
    isKeyChanged: boolean
    isTranscriptionKeyChanged?: true
  }
  /** `server`: the agent's id, or the address of another one. */
  'assistant.test': { what: 'agent' | 'help' | 'transcription'; server: string; success: boolean }
}

const assistantUpdate: Sentences<Details>['assistant.update'] = ({ details }) => {
  const fields = [
    ...Object.keys(details.changes ?? {}).map((field) => fieldName(field).toLowerCase()),
    ...(details.isTokenChanged ? ['token da API'] : []),
    ...(details.isKeyChanged ? ['chave do servidor'] : []),
    ...(details.isTranscriptionKeyChanged ? ['chave da transcrição'] : []),
  ]
  return ['mudou a inteligência artificial', fields.length > 0 ? `: ${listed(fields)}` : '']
}

/** What each act says, without its subject. */
export const sentences: Sentences<Details> = {
  'assistant.update': assistantUpdate,
  'assistant.test': ({ details }) => [
    details.what === 'help'
      ? 'testou o servidor de IA '
      : details.what === 'transcription'
        ? 'testou o servidor de transcrição '
        : 'testou o agente de IA ',
    { name: details.server ?? '' },
    details.success === true ? ': respondeu' : ': não respondeu',
  ],
}
