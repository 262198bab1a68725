import type { Role } from '#shared/permissions.ts'
import type { Config } from '#server/platform/config.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface PasswordStrength {
  /** 0 and 1: refused where passwords must be good; 2: fair; 3 and 4: good. */
  score: 0 | 1 | 2 | 3 | 4
  /** A sentence for the person; null for a good one. */
  advice: string | null
}

/**
 * How quickly a password would be guessed, by the words, names and patterns that people use, in Portuguese
 * too, and by what is known of the person.
 * @param known the person's user name, name and e-mail address
 */
export async function passwordStrength(
  password: string,
  known: readonly string[] = [],
): Promise<PasswordStrength> {
  const estimate = await estimator()
  const { score, feedback } = estimate.check(password, [...known.flatMap(partsOf), 'balcao', 'balcão'])
  if (isCommonPassword(password, known))
    return { score: score > 1 ? 1 : score, advice: feedback.warning ?? 'É comum e fácil de adivinhar.' }
  if (score >= 3) return { score, advice: null }
  return { score, advice: feedback.warning ?? 'Junte mais palavras que não andam juntas.' }
}

/** Whether common passwords are refused: always of administrators, unless PASSWORD_STRICT says otherwise. */
export function isStrictFor(
  { strictPasswords }: Pick<Config, 'strictPasswords'>,
  role: Role | undefined,
): boolean {
  return strictPasswords === 'of all' || (strictPasswords === 'of administrators' && role === 'admin')
}

/** Whether a password is refused where passwords must be good, and else warned of. @param known as above */
export async function isWeakPassword(password: string, known: readonly string[] = []): Promise<boolean> {
  return (await passwordStrength(password, known)).score <= 1
}

const partsOf = (text: string) => [text, ...text.split(/[^\p{L}\d]+/u)].filter((part) => part.length > 2)

/** Loaded when somebody chooses a password: the dictionaries take 20 MB. */
let loading: ReturnType<typeof load> | undefined
const estimator = () => (loading ??= load())

async function load() {
  const [{ ZxcvbnFactory }, common, portuguese] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-pt-br'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...portuguese.dictionary },
    graphs: common.adjacencyGraphs,
    translations: {
      ...portuguese.translations,
      warnings: {
        ...portuguese.translations.warnings,
        similarToCommon: 'É parecida com uma senha muito usada.',
        userInputs: 'Contém seu nome, seu usuário ou seu email.',
      },
    },
    // Longer texts would take seconds; 32 unguessable characters are more than enough.
    maxLength: 32,
    l33tMaxSubstitutions: 10,
  })
}
