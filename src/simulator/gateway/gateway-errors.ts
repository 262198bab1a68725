import { randomUUID } from 'node:crypto'

/** An error in one of Evolution's own formats; `body` is sent verbatim. */
export interface GatewayError extends Error {
  status: number
  body: unknown
}

const names: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
}

function withBody(status: number, body: unknown): GatewayError {
  return Object.assign(new Error(`gateway ${status}`), { status, body })
}

/** `message` in any nesting Evolution uses: a string, a list, a list in a list, a list of objects. */
export function gatewayError(
  status: number,
  message: unknown,
  error = names[status] ?? 'Error',
): GatewayError {
  return withBody(status, { status, error, response: { message } })
}

/** The usual error: one text in a list. */
export function refuse(status: number, text: string) {
  return gatewayError(status, [text])
}

/** 2.4 and later, until activated online. */
export function licenceRequired(serverUrl: string): GatewayError {
  return withBody(503, {
    error: 'service not activated',
    code: 'LICENSE_REQUIRED',
    register_url: `${serverUrl}/manager/login`,
    instance_id: randomUUID(),
    docs_url: 'https://docs.evolutionfoundation.com.br/licensing',
    message: `This Evolution API instance is not activated. Open ${serverUrl}/manager/login to activate`,
  })
}

export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && 'status' in error && 'body' in error
}
