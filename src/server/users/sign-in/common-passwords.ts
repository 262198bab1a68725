import { fold } from '#shared/text/fold.ts'

/**
 * Common passwords as stems: case, accents, surrounding digits and look-alike characters are removed before
 * the comparison.
 */
const words = new Set(
  `
  senha senhas minhasenha novasenha mudarsenha trocarsenha troquesenha senhaforte senhasegura senhapadrao
  acesso entrar entrada mudar mudeme trocar teste testes testando temporaria provisoria padrao usuario
  visitante convidado cliente empresa atendimento suporte operador operadora supervisor supervisora
  administrador administradora gerente recepcao vendas financeiro contato central sistema servidor computador
  internet mensagem whatsapp zap telefone celular escritorio trabalho loja balcao segredo secreta qualquer
  nada abacaxi amor amorzinho teamo euteamo meuamor amores princesa princesinha gatinha gatinho linda lindinha
  lindo vida minhavida familia felicidade alegria saudade deus jesus jesuscristo deusefiel deusfiel jesusteama
  cristo senhor nossasenhora mariamae anjo anjos estrela estrelinha sol lua flor flores rosa borboleta
  cachorro cachorra gato brasil brasileiro brasileira saopaulo rio riodejaneiro minasgerais bahia flamengo
  mengao corinthians timao palmeiras verdao santos santosfc vasco gremio internacional cruzeiro galo atletico
  botafogo fluminense saopaulofc tricolor neymar pele ronaldo ronaldinho futebol campeao maria mariana joao
  jose carlos paulo pedro lucas gabriel gabriela mateus matheus rafael rafaela felipe fernanda fernando bruno
  bruna camila amanda juliana julia beatriz ana anaclara aline daniel daniela eduardo eduarda gustavo
  guilherme henrique isabela larissa leonardo leticia luana luiza marcelo marcos patricia ricardo roberto
  rodrigo sandra tiago thiago vanessa vinicius vitoria antonio francisco adriana alexandre andre password
  passwords passwd pass passphrase passcode mypassword yourpassword newpassword secret mysecret topsecret
  letmein welcome welcomeback login logon admin admins administrator adminadmin root toor superuser super user
  guest master test tester testing demo default changeme change temp temporary private public server database
  postgres oracle mysql cisco linux windows ubuntu microsoft google apple samsung facebook instagram youtube
  android iphone iloveyou ilove love lovely lover loveme loveyou babygirl baby princess sunshine sunflower
  flower butterfly angel angels monkey dragon tiger lion eagle horse dolphin wolf bear kitty kitten puppy
  chicken cookie chocolate cheese banana orange cherry peanut pepper ginger summer winter spring autumn monday
  friday january october november december football baseball basketball soccer hockey golf golfer tennis
  killer hunter ranger warrior ninja pirate shadow phantom ghost silver golden diamond crystal purple yellow
  black white blue green red batman superman spiderman ironman starwars startrek pokemon pikachu naruto goku
  minecraft matrix merlin gandalf michael michelle jennifer jessica jordan joshua jackson andrew anthony
  ashley austin charlie christian daniela hannah harley james jasmine joseph justin kevin madison maggie
  martin matthew nicole nicholas oliver patrick richard robert samantha sarah sophie steven taylor thomas
  victoria william george freedom forever friend friends family happy heaven hello helloworld hola access
  trustno nothing whatever computer internet mustang corvette ferrari porsche mercedes yamaha harleydavidson
  chelsea arsenal liverpool barcelona realmadrid manchester juventus qazwsx asdf asdfgh qwerty qwert qwertz
  azerty zxcvbn abc abcd abcde abcdef aaa xxx fuckyou fuckoff asshole pussy biteme bailey buster cowboy snoopy
  scooter tigger thunder maverick mickey minnie donald disney nintendo playstation xbox gamer player winner
  money dinheiro jackpot lucky
  `
    .trim()
    .split(/\s+/),
)

/**
 * Rows and diagonals of keyboards, and the alphabet; any piece of them, in either direction, is easy to
 * guess.
 */
const walks = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjklç',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  'qweasdzxcrtyfghvbn',
  '!@#$%¨&*()',
  '!@#$%^&*()',
].flatMap((walk) => [walk, Array.from(walk).toReversed().join('')])

const lookAlikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const withoutLookAlikes = (text: string) => text.replace(/[013457@$!]/g, (sign) => lookAlikes[sign] ?? sign)
const stem = (text: string) => text.replace(/^\P{L}+|(?<!\P{L})\P{L}+$/gu, '')

/**
 * Whether a password is easy to guess: a common word or name with the usual variations ('Senha@123',
 * 'p4ssw0rd!'), a keyboard walk, a date, a repetition, or personal data.
 * @param known the person's user name, name and e-mail address, none of which is secret
 * @see security, password rules
 */
export function isCommonPassword(password: string, known: readonly string[] = []): boolean {
  const text = fold(password)
  // A date, a phone number without area code, a code: eight digits are quickly enumerated.
  if (/^[\d\s./-]*$/.test(text) && text.replace(/\D/g, '').length <= 8) return true
  if (new Set(text).size <= 2 || walks.some((walk) => walk.includes(text))) return true
  const unit = repeatedUnit(text)
  if (unit !== undefined && (unit.length <= 4 || isCommonPassword(unit, known))) return true
  const own = new Set(known.flatMap(wordsOf))
  return [stem(text), withoutLookAlikes(stem(text)), stem(withoutLookAlikes(text))].some(
    (word) => words.has(word) || own.has(word) || walks.some((walk) => word !== '' && walk.includes(word)),
  )
}

/** The shortest unit whose repetition makes the text: its second occurrence in the doubled text. */
function repeatedUnit(text: string): string | undefined {
  const length = (text + text).indexOf(text, 1)
  return length > 0 && length < text.length ? text.slice(0, length) : undefined
}

/** The candidates in 'Ana Souza' or 'ana.souza@loja.example': the whole, the words joined, and each word. */
function wordsOf(text: string): string[] {
  const [local = ''] = fold(text).split('@')
  const parts = local.split(/\P{L}+/u)
  return [local, stem(local), parts.join(''), ...parts].filter((word) => word.length >= 3)
}
