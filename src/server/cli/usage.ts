/** What the commands are, for `--help`. */
export const usage = `Uso: npm run admin -- <comando> [opções]

Comandos
  create [--username U] [--name N] [--email E] [--role admin|supervisor|operator] [--password-stdin]
      Cria um usuário, que é operador sem --role. Sem --username, cria o administrador "admin".
  reset-password USERNAME [--password-stdin]
      Dá uma nova senha e encerra todas as sessões do usuário.
  unblock USERNAME
      Desfaz o bloqueio e zera as tentativas de login.
  reset-second-factor USERNAME
      Desativa a verificação em duas etapas de quem perdeu o celular e os códigos.
  list [--json]
      Mostra os usuários.
  audit-verify [--head REGISTRO:ELO]
      Confere a auditoria inteira e mostra o fim da corrente. Com --head, confere também um fim
      anotado antes. Termina com 1 se algo foi alterado.
  lgpd-scan TELEFONE [--also TEXTO]... [--logs ARQUIVO]...
      Procura uma pessoa no banco, nos arquivos e nos logs: o telefone em todas as grafias e outros
      textos. Termina com 1 se algo for encontrado.
  phones [--apply] [--undo]
      Mostra os telefones guardados que hoje seriam recusados ou escritos de outro modo. Com --apply,
      corrige os que têm uma só leitura; os que já são de outro contato ficam, para serem juntados. Com
      --undo, desfaz as correções do último dia. Termina com 1 se algum fica para alguém ver.
  doctor [--json]
      Confere relógio, disco, banco, permissões, HTTPS e cada número até o WhatsApp e de volta; registra
      o webhook, se for nosso e estiver errado. Termina com 1 se houver um problema.
  report-verify --from AAAA-MM-DD --to AAAA-MM-DD
      Recalcula os números dos relatórios a partir das mensagens, por outro caminho, e mostra o que
      difere. Termina com 1 se algo diferir.

  backup list [--json]
      Mostra os backups.
  backup import ARQUIVO [--unsigned]
      Traz de volta um backup baixado, depois de conferi-lo inteiro. Onde BACKUP_KEY está posta, um sem
      assinatura é recusado; --unsigned aceita este.
  backup compare ID
      Compara o que há agora com um backup, tabela por tabela e arquivo por arquivo. Termina com 1
      se algo diferir.
  media move [--to disk|s3]
      Muda os arquivos para o bucket, ou de volta para o disco, com o servidor ligado. Cada um é lido
      de volta antes de sair de onde estava. Sem --to, para onde MEDIA_STORE diz. Interrompido, continua
      de onde parou.
  media scan [--remove] [--json]
      Mostra os arquivos sem registro e os registros sem arquivo. Com --remove, apaga os arquivos sem
      registro de mais de um dia. Termina com 1 se falta algum arquivo.
  copy PASTA
      Copia a instalação inteira, ligada ou não, para uma pasta vazia: todas as tabelas, os arquivos
      e a chave secreta. Lê tudo de volta e confere.
  attach PASTA [--unsigned]
      Faz de uma cópia a instalação de DATA_DIR e DATABASE_URL, que ainda estão vazios. Tudo ou nada.
      Onde BACKUP_KEY está posta, uma cópia sem assinatura é recusada; --unsigned aceita esta.
  move-to postgres://usuario:senha@servidor:5432/banco
      Leva o banco de dados, com o servidor parado, para um PostgreSQL próprio, e compara os dois.
      A senha pode ficar em PGPASSWORD.
  undo-upgrade [PASTA] [--yes]
      Mostra a cópia que o servidor fez antes de atualizar o banco e o que há de novo desde então. Com
      --yes, e o servidor parado, volta a ela: tudo ou nada. Depois, inicie a versão anterior.

Opções
  --password-stdin  lê a senha da entrada padrão; no terminal, pergunta duas vezes sem mostrá-la.
                    Sem ela, uma senha aleatória é criada e mostrada uma única vez.
  --demo            usa o banco de dados da demonstração
  --help            mostra esta ajuda; depois de um comando, só a dele
  --version         mostra a versão do Balcão

O banco de dados é o mesmo do servidor: DATABASE_URL, ou o embutido em DATA_DIR, com o servidor ligado ou não.
Backups e cópias são cifrados, e lidos, com BACKUP_KEY.
`

/** The help of the command among the words, or of all where there is none. */
export function usageOf(words: readonly string[]): string {
  const [command = '', what = ''] = words.filter((word) => !word.startsWith('-'))
  const [commands = '', options = ''] = usage.split(/^Comandos\n|\nOpções\n/m).slice(1)
  // Each begins with two spaces; what it does follows with six.
  const blocks = commands.split(/^(?= {2}\S)/m).map((block) => `${block.trim()}\n`)
  const named = (name: string) => blocks.filter((block) => block.replace('\n', ' ').startsWith(`${name} `))
  const found = [named(`${command} ${what}`), named(command)].find((some) => some.length > 0)
  if (command === '' || !found) return usage
  const its = found.map((block) => block.replace(/\n {6}/g, '\n      ')).join('\n')
  const password = its.includes('--password-stdin')
    ? `\n${/^ {2}--password-stdin[^]*?(?=^ {2}--)/m.exec(options)?.[0] ?? ''}`
    : ''
  return `Uso: npm run admin -- ${its}${password}`
}
