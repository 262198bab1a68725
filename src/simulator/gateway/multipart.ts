import type { FastifyInstance, FastifyRequest } from 'fastify'
import { gatewayError } from './gateway-errors.ts'

/** A form with a file, as multer hands it to Evolution: text fields as strings, the field `file` beside them. */

/** The uploaded file's raw base64, under this key of the body. */
export const uploadedFile = Symbol('uploaded file')
export interface FormBody extends Record<string, unknown> {
  [uploadedFile]?: string
}

async function bodyOf(form: FormData): Promise<FormBody> {
  const body: FormBody = {}
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') body[name] = value
    else if (name === 'file') body[uploadedFile] = Buffer.from(await value.arrayBuffer()).toString('base64')
    // Multer is told of one field alone.
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
