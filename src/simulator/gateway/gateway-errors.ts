/** A refusal in one of Evolution's own shapes; `body` goes out as it stands. */
export type GatewayError = Error & { status: number; body: unknown }

const names: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
}

const withBody = (status: number, body: unknown): GatewayError =>
  Object.assign(new Error(`gateway ${status}`), { status, body })

/** `message` as Evolution nests it: a string, a list, a list in a list, a list of objects. */
export const gatewayError = (
  status: number,
  message: unknown,
  error = names[status] ?? 'Error',
): GatewayError => withBody(status, { status, error, response: { message } })

/** The usual exception: its one text in a list. */
export const refuse = (status: number, text: string) => gatewayError(status, [text])

/** Only chat/whatsappNumbers lets the socket's own error through: HTTP 400, and no `response` in it. */
export const connectionBoom = (): GatewayError =>
  withBody(400, {
    data: null,
    isBoom: true,
    isServer: false,
    output: {
      statusCode: 428,
      payload: { statusCode: 428, error: 'Precondition Required', message: 'Connection Closed' },
      headers: {},
    },
  })

/** 2.4 and later, until somebody has activated it online. */
export const licenceRequired = (serverUrl: string): GatewayError =>
  withBody(503, {
    error: 'service not activated',
    code: 'LICENSE_REQUIRED',
    register_url: `${serverUrl}/manager`,
  })

export const isGatewayError = (error: unknown): error is GatewayError =>
  error instanceof Error && 'status' in error && 'body' in error
