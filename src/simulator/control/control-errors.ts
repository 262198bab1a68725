/** What the control API refuses, as a value with a status; the routes make `{ code, message }` of it. */
export type ControlError = Error & { status: number; code: string }

export const controlError = (status: number, code: string, message: string): ControlError =>
  Object.assign(new Error(message), { status, code })

export const isControlError = (error: unknown): error is ControlError =>
  error instanceof Error && 'status' in error && 'code' in error && typeof error.status === 'number'
