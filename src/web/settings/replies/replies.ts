import { getQuickReplyFile } from '#shared/quick-replies/quick-replies.ts'

/** The fields that a quick reply may have. */
export const fieldsOfReplies = ['contact', 'firstName', 'operator', 'company', 'protocol'] as const

/** Where the file of a quick reply of a person or sector is. */
export const fileUrlOf = (id: number): string => getQuickReplyFile.path.replace(':id', String(id))
