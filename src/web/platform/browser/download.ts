import { expectConfirmation } from '#shared/users/profile.ts'
import { call } from '#web/platform/api/api.ts'

/** Has the browser save what an address gives, while it comes and under the name that it brings. */
export function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

/**
 * The same of a call that asks for the password again, which the browser, unlike `call`, cannot.
 * @throws ApiError of code 'auth.reauthenticate' when the user does not want to give it
 */
export async function downloadConfirmed(address: string): Promise<void> {
  await call(expectConfirmation)
  download(address)
}
