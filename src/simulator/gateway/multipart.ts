import type { FastifyInstance, FastifyRequest } from 'fastify'
import { gatewayError } from './gateway-errors.ts'

/** Multipart forms as multer passes them to Evolution: text fields as strings, and the field `file`. */

/** Key of the uploaded file's raw base64 in the body. */
export const uploadedFile = Symbol('uploaded file')
export interface FormBody extends Record<string, unknown> {
  [uploadedFile]?: string
}

async function bodyOf(form: FormData): Promise<FormBody> {
  const body: FormBody = {}
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') body[name] = value
    else if (name === 'file') body[uploadedFile] = Buffer.from(await value.arrayBuffer()).toString('base64')
    // Multer is configured for one file field.
    else throw gatewayError(500, 'Unexpected field')
  }
  return body
}

/** Lets the server read multipart/form-data. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      const headers = { 'content-type': request.headers['content-type'] ?? '' }
      const answer = new Response(new Uint8Array(raw), { headers })
      const form = await answer.formData().catch(() => {
        throw gatewayError(500, 'Unexpected end of form')
      })
      return bodyOf(form)
    },
  )
}
