import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { EmbeddedPostgresError } from './errors.ts'

/** The system account of the server. */
export interface Account {
  name: string
  uid: number
  gid: number
  /** whether we are root and the server runs under another account */
  isOther: boolean
  /** the account of this program, the only one that the server admits */
  programUser: string
}

interface PasswdLine {
  name: string
  uid: number
  gid: number
}

/** The options of spawn to run a program as the account; empty when that is our own. */
export function identityOf(account: Account): { uid?: number; gid?: number } {
  return account.isOther ? { uid: account.uid, gid: account.gid } : {}
}

/**
 * Finds the account for the server. For a normal user it is their own. For root, under which PostgreSQL
 * refuses to run, it is the owner of the existing database, because no other account can open it; without a
 * database it is an account called `name`, else `postgres`, else `nobody`.
 * @throws EmbeddedPostgresError when the account is not in /etc/passwd, which initdb requires.
 */
export async function findAccount(name: string, ownerUid: number | undefined): Promise<Account> {
  const programUser = currentUser()
  if (process.getuid?.() !== 0) {
    const { uid, gid } = userInfo()
    return { name: programUser, uid, gid, isOther: false, programUser }
  }
  const lines = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  const line = chooseAccount(lines, name, ownerUid)
  if (line) return { ...line, isOther: true, programUser }
  throw new EmbeddedPostgresError(
    ownerUid
      ? `O banco de dados pertence ao usuário de número ${ownerUid}, que não existe nesta máquina: ` +
          'devolva a pasta a uma conta daqui (chown) ou defina DATABASE_URL'
      : 'O PostgreSQL não roda como root e não há conta de sistema para ele: crie uma com "useradd ' +
          `--system ${name}" ou defina DATABASE_URL`,
  )
}

/** Chooses the account when we are root. Pure. */
export function chooseAccount(
  lines: PasswdLine[],
  name: string,
  ownerUid: number | undefined,
): PasswdLine | undefined {
  if (ownerUid) return lines.find((line) => line.uid === ownerUid)
  for (const wanted of [name, 'postgres', 'nobody']) {
    const line = lines.find((each) => each.name === wanted && each.uid !== 0)
    if (line) return line
  }
  return undefined
}

/** Parses a passwd file, skipping invalid lines. Pure. */
export function parsePasswd(text: string): PasswdLine[] {
  const lines: PasswdLine[] = []
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? ''))
      lines.push({ name, uid: Number(uid), gid: Number(gid) })
  }
  return lines
}

function currentUser(): string {
  try {
    return userInfo().username
  } catch (error) {
    throw new EmbeddedPostgresError(
      `O usuário de número ${process.getuid?.()} não tem linha em /etc/passwd, e o PostgreSQL embutido ` +
        'precisa dela: ' +
        'rode com um usuário cadastrado ou defina DATABASE_URL',
      'failed',
      { cause: error },
    )
  }
}
