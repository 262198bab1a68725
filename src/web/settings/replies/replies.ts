import { getQuickReplyFile } from '#shared/quick-replies/quick-replies.ts'

/** The fields that a quick reply may have. */
export const fieldsOfReplies = ['contact', 'firstName', 'operator', 'company', 'protocol'] as const

/** '212 usos' */
export const usesText = (uses: number): string =>
  uses === 0 ? 'sem uso' : uses === 1 ? '1 uso' : `${uses.toLocaleString('pt-BR')} usos`

/** Where the file of a quick reply of a person or sector is. */
export const fileUrlOf = (id: number): string => getQuickReplyFile.path.replace(':id', String(id))
