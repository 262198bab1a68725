import { colleague, password } from './stage.ts'

let made = 0

/** A name that no other test uses. */
export const newName = () => `Pessoa ${++made} ${Date.now() % 100_000}`

/** An account of its own, so that no test changes the people of the demonstration. */
export async function newAccount(name = newName()) {
  const admin = await colleague('admin')
  const username = name.toLowerCase().replaceAll(' ', '-')
  const body = { name, username, email: `${username}@teste.example`, password, role: 'operator' }
  const { id } = await admin.call<{ id: number }>('POST', '/api/users', body)
  return { id, name, username }
}
