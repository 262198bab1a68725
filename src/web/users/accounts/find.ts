import type { Account } from '#shared/users/accounts.ts'
import { fold } from '#shared/text/fold.ts'

/** Whether a text is in the name of a person, the e-mail, or the username, also as it is shown ('@carla'). */
export function isFound(
  { name, username, email }: Pick<Account, 'name' | 'username' | 'email'>,
  search: string,
  ...more: string[]
): boolean {
  const words = fold(search)
  return [name, `@${username}`, email, ...more].some((text) => fold(text).includes(words))
}
