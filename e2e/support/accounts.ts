import { Colleague } from './colleague.ts'
import { colleague, password, url } from './stage.ts'

let made = 0

/** A name that no other test uses. */
export const newName = () => `Pessoa ${++made} ${Date.now() % 100_000}`

/**
 * An account of its own, with a password that its person has chosen, so that no test changes the people of
 * the demonstration.
 */
export async function newAccount(name = newName()) {
  const admin = await colleague('admin')
  await admin.stayConfirmed(password)
  const username = name.toLowerCase().replaceAll(' ', '-')
  const given = `${password}-dada`
  const body = { name, username, email: `${username}@teste.example`, password: given, role: 'operator' }
  const { id } = await admin.call<{ id: number }>('POST', '/api/users', body)
  const person = await Colleague.signIn(url, username, given)
  await person.call('PUT', '/api/profile', { password })
  return { id, name, username }
}
