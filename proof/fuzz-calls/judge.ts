import { z } from 'zod'
import { errorBody } from '#shared/errors.ts'

/** The answer to a request. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** What an answer must never show: paths, SQL, and names of components. */
const details = new RegExp(
  [
    /\n\s+at \S|node_modules|\/src\/server|file:\/\//,
    /\bselect .* from\b|insert into|update .* set |violates/,
    /postgres|fastify|drizzle|pg_|ECONN|\bv?\d+\.\d+\.\d+\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

const strictError = z.strictObject(errorBody.shape)
const wanted = ['x-content-type-options', 'content-security-policy', 'referrer-policy']

/**
 * What is wrong with an answer, if anything.
 * @param path the path of the call
 * @param isHead whether the method was HEAD, so that the answer has no body
 */
export function faultsOf(answer: Answer, path: string, isHead: boolean): string[] {
  const faults: string[] = []
  const { status, headers, body } = answer
  // A server of others that does not answer may be reported; every other 5xx is a fault.
  if (status >= 500 && !isGatewayTrouble(answer)) faults.push(`answer ${status}`)
  for (const name of wanted) if (headers[name] === undefined) faults.push(`no ${name}`)
  const isCall = path.startsWith('/api/')
  if (isCall && status >= 200 && !isKeptRightly(headers)) faults.push('no no-store')
  if (status < 400 || isHead) return faults
  const isJson = String(headers['content-type']).startsWith('application/json')
  if (isCall && !isJson) faults.push('an error that is not JSON')
  if (isJson && !isErrorBody(body)) faults.push('an error body with more than it may have')
  // An administrator must see why the gateway cannot be reached.
  const reported = isGatewayTrouble(answer) ? body.replace(/: ECONN[A-Z]+"/, '"') : body
  // A contact may be called anything.
  const shown = reported.replace(/(já é do contato )(?:[^"\\]|\\.)*/, '$1')
  if (details.test(shown)) faults.push('an error body with details')
  return faults
}

/** No cache may store answers, except a file in the browser's own cache. */
function isKeptRightly(headers: Answer['headers']): boolean {
  const cache = String(headers['cache-control'])
  const isFile = headers['etag'] !== undefined && headers['content-disposition'] !== undefined
  return cache.includes('no-store') || (isFile && cache.startsWith('private, '))
}

/** The gateway, or the server of an AI, is not there: the calls themselves set any address. */
export function isGatewayTrouble({ status, body }: Answer): boolean {
  return (
    status === 502 && /"code":"(gateway\.(unreachable|hindered|key_refused)|assistant\.failed)"/.test(body)
  )
}

function isErrorBody(text: string): boolean {
  try {
    return strictError.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}
