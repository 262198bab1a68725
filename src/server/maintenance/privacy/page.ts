import { formatPhone } from '#shared/text/phone.ts'
import { escapeHtml } from '#shared/text/escape-html.ts'
import { messageTypeLabel, messageTypes } from '#shared/messages/message-kinds.ts'
import type { ContactData, ConversationData, Dossier, MessageData } from './personal-data.ts'

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 1.5rem }
  h2 { font-size: 1.2rem; margin-top: 2.5rem }
  h3 { font-size: 1rem; margin-bottom: 0 }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem } dd { margin: 0 }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #e7e5e4; vertical-align: top }
  p.m { margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
  dt, small { color: #57534e }`

const time = (iso: string | null): string =>
  iso === null
    ? '–'
    : new Intl.DateTimeFormat('pt-BR', {
        dateStyle: 'short',
        timeStyle: 'short',
        timeZone: 'America/Sao_Paulo',
      }).format(Date.parse(iso))

/** The page to read: complete in itself, without a script, every value escaped. */
export async function* pageOf(dossier: Dossier): AsyncGenerator<string> {
  const [contact] = dossier.contacts
  yield `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Dados pessoais: ${escapeHtml(contact?.nome ?? '')}</title>
<style>${style}</style>
</head>
<body>
<h1>Dados pessoais de ${escapeHtml(contact?.nome ?? '')}</h1>
<p>Tudo o que está guardado sobre este contato em ${time(dossier.madeAt)}, como prevê o art. 18 da LGPD (Lei
13.709/2018). Os mesmos dados estão em <code>dados.json</code>; os arquivos, na pasta <code>arquivos</code>.
Horários de Brasília.</p>
`
  for (const [n, one] of dossier.contacts.entries())
    yield contactPart(one, n === 0 ? 'Cadastro' : 'Cadastro anterior')
  yield `<h2>Conversas (${dossier.conversations.length})</h2>\n`
  for (const conversation of dossier.conversations) {
    yield conversationHead(conversation)
    for await (const message of dossier.messagesOf(conversation)) yield messagePart(message)
  }
  yield table(
    'Avaliações',
    ['Protocolo', 'Atendimento', 'Operador', 'Comentário', 'Quando'],
    dossier.ratings.map((r) => [
      r.protocolo,
      String(r.atendimento),
      String(r.operador),
      r.comentario ?? '',
      time(r.em),
    ]),
  )
  yield `<h2>Arquivos (${dossier.files.length})</h2>\n<ul>\n`
  for (const { path } of dossier.files) yield `<li>${link(path)}</li>\n`
  yield '</ul>\n'
  yield table(
    'Quem acessou ou mudou estes dados',
    ['Quando', 'Quem', 'Ação', 'Objeto', 'Vezes'],
    dossier.accesses.map((a) => [time(a.em), a.quem, a.acao, a.objeto, String(a.vezes)]),
  )
  yield '</body>\n</html>\n'
}

const link = (path: string) =>
  `<a href="${escapeHtml(path.split('/').map(encodeURIComponent).join('/'))}">${escapeHtml(path)}</a>`

function contactPart(contact: ContactData, title: string): string {
  const fields: [string, string | null][] = [
    ['Nome', contact.nome],
    ['Telefone', contact.telefone && formatPhone(contact.telefone)],
    ['E-mail', contact.email],
    ['Empresa', contact.empresa],
    ['Categoria', contact.categoria],
    ['Etiquetas', contact.etiquetas.join(', ')],
    ['Observações', contact.observacoes],
    ['Bloqueado', contact.bloqueado ? 'sim' : 'não'],
    ['Identidades no WhatsApp', contact.identidades.map(({ endereco }) => endereco).join(', ')],
    ['Cadastrado em', time(contact.cadastradoEm)],
    ['Alterado em', time(contact.alteradoEm)],
    ['Excluído em', contact.excluidoEm && time(contact.excluidoEm)],
  ]
  const shown = fields.flatMap(([name, value]) =>
    value ? [`<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`] : [],
  )
  return `<h2>${title}</h2>\n<dl>\n${shown.join('\n')}\n</dl>\n`
}

function conversationHead({ protocolo, inicio, fim, atendente, observacoes }: ConversationData): string {
  const end = fim === null ? 'em aberto' : `até ${time(fim)}`
  const by = atendente === null ? '' : `, atendida por ${escapeHtml(atendente)}`
  const notes = observacoes ? `<p class="m">Observações: ${escapeHtml(observacoes)}</p>\n` : ''
  const head = `<h3>Protocolo ${escapeHtml(protocolo)}</h3>`
  return `${head}\n<p><small>De ${time(inicio)} ${end}${by}</small></p>\n${notes}`
}

function messagePart(message: MessageData): string {
  const { de, autor, tipo, texto, arquivo, editadaEm, apagadaEm, textosAnteriores } = message
  const kind = messageTypes.find((known) => known === tipo)
  const who = de === 'contato' ? 'Contato' : (autor ?? 'Equipe')
  const marks = [
    tipo === 'text' ? '' : kind ? messageTypeLabel(kind) : tipo,
    editadaEm === null ? '' : `editada em ${time(editadaEm)}`,
    apagadaEm === null ? '' : `apagada em ${time(apagadaEm)}`,
  ].filter(Boolean)
  const before = textosAnteriores
    .map(({ texto: earlier }) => `<br><small>Texto anterior: ${escapeHtml(earlier)}</small>`)
    .join('')
  return (
    `<p class="m"><small>${time(message.enviadaEm)} · ${escapeHtml([who, ...marks].join(' · '))}</small>\n` +
    `${escapeHtml(texto)}${arquivo === null ? '' : ` ${link(arquivo)}`}${before}</p>\n`
  )
}

function table(title: string, head: readonly string[], lines: readonly string[][]): string {
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const body = lines.map((cells) => row(cells, 'td')).join('\n')
  return `<h2>${title} (${lines.length})</h2>\n<table>\n${row(head, 'th')}\n${body}\n</table>\n`
}
