import { inactivityMinutes } from '#shared/settings/inactivity.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { fieldLabels, fieldNameOf } from '#shared/text/field-names.ts'
import {
  fillTemplate,
  nameIn,
  type Placeholder,
  placeholdersIn,
  type TemplateValues,
} from '#shared/text/template.ts'

/** The settings that are texts for the client. */
export type TextKey = Extract<keyof SystemSettings, `${string}Message`>

interface TextSetting {
  label: string
  /** When it is sent. */
  when: string
  /** The fields that have a value when it is sent. */
  fields: readonly Placeholder[]
}

const everybody = ['contact', 'firstName', 'company', 'protocol'] as const
const withOperator = ['contact', 'firstName', 'operator', 'company', 'protocol'] as const
const inMenu = [...everybody, 'opcoes'] as const
const inQueue = ['position', 'contact', 'firstName', 'company', 'protocol'] as const

/** Every text with its label and description. @see decisions §3 Texts */
export const textSettings: Readonly<Record<TextKey, TextSetting>> = {
  warningMessage: {
    label: 'Aviso antes da primeira mensagem do operador',
    when: 'Vai uma vez por conversa, logo antes da primeira resposta.',
    fields: withOperator,
  },
  operatorInitiatedWarningMessage: {
    label: 'Aviso de conversa iniciada pelo operador',
    when: 'Vai uma vez, quando a conversa começa por nós.',
    fields: withOperator,
  },
  transferMessage: {
    label: 'Transferência',
    when: `Vai a cada transferência; ${fieldLabels.operator} é quem recebe a conversa.`,
    fields: withOperator,
  },
  finalizationMessage: {
    label: 'Finalização',
    when: 'Vai quando o atendimento é finalizado.',
    fields: withOperator,
  },
  greetingMessage: { label: 'Saudação', when: 'Botão de resposta rápida.', fields: withOperator },
  verificationMessage: { label: 'Verificação', when: 'Botão de resposta rápida.', fields: withOperator },
  farewellMessage: { label: 'Despedida', when: 'Botão de resposta rápida.', fields: withOperator },
  inactivityMessage: {
    label: 'Inatividade',
    when: `Vai quando a conversa é encerrada após ${inactivityMinutes} minutos sem resposta.`,
    fields: withOperator,
  },
  lgpdMessage: { label: 'LGPD', when: 'Botão de resposta rápida.', fields: withOperator },
  autoReplyMessage: {
    label: 'Mensagem',
    when: 'Vai uma vez por conversa, enquanto estiver fechado.',
    fields: everybody,
  },
  queueWelcomeMessage: {
    label: 'Boas-vindas',
    when: 'Ao entrar na fila com um operador livre.',
    fields: inQueue,
  },
  queueMessage: {
    label: 'Mensagem da fila',
    when: 'Ao entrar na fila com todos ocupados.',
    fields: inQueue,
  },
  queuePositionUpdateMessage: {
    label: 'Atualização de posição',
    when: 'Quando a posição melhora, no máximo uma vez por minuto.',
    fields: inQueue,
  },
  blockedFileMessage: {
    label: 'Arquivo bloqueado',
    when: 'Quando o arquivo do cliente não é guardado, por ser perigoso.',
    fields: everybody,
  },
  preAttendanceMessage: {
    label: 'Pergunta',
    when: 'Vai com a primeira mensagem, dentro do horário.',
    fields: everybody,
  },
  preAttendanceCancelMessage: { label: 'Ao escolher 2', when: 'Vai a quem encerra.', fields: everybody },
  preAttendanceInvalidMessage: {
    label: 'Opção inválida',
    when: 'Vai a quem responde outra coisa, no máximo seis vezes por hora.',
    fields: everybody,
  },
  sectorMenuMessage: {
    label: 'Pergunta do menu',
    when: 'Vai com a primeira mensagem, dentro do horário, com uma linha para cada setor.',
    fields: inMenu,
  },
  sectorMenuInvalidMessage: {
    label: 'Opção inválida no menu',
    when: 'Vai a quem responde outra coisa, no máximo seis vezes por hora.',
    fields: inMenu,
  },
  ratingMessage: {
    label: 'Pergunta da avaliação',
    when: 'Vai depois da finalização.',
    fields: withOperator,
  },
  inactivityWarningMessage: {
    label: 'Aviso antes de encerrar',
    when: 'Vai antes do encerramento por inatividade.',
    fields: withOperator,
  },
}

/** Sample values for the preview. */
export const sampleValues = (operator: string): TemplateValues => ({
  position: '3',
  contact: 'Maria Souza',
  operator,
  company: 'Padaria Central',
  protocol: '20261119004512',
})

/** The text with these values filled in. */
export const previewOf = (text: string, values: TemplateValues) => fillTemplate(text, values)

/** What is said of the fields of a text that will not be filled. */
export function unfilledIn(text: string, fields: readonly Placeholder[]): string[] {
  const names = new Set<string>(fields)
  return placeholdersIn(text).flatMap((field) => {
    if (names.has(nameIn(field))) return []
    const called = fieldNameOf(field)
    return called === field
      ? `${field} não é um campo conhecido e vai como está`
      : `${called} não tem valor neste texto`
  })
}
