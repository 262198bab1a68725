/** An error of the control API; the routes answer it as `{ code, message }`. */
export interface ControlError extends Error {
  status: number
  code: string
}

export function controlError(status: number, code: string, message: string): ControlError {
  return Object.assign(new Error(message), { status, code })
}

export function isControlError(error: unknown): error is ControlError {
  return error instanceof Error && 'status' in error && 'code' in error && typeof error.status === 'number'
}
