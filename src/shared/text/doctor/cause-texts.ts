import type { Check, FindingState } from '#shared/doctor/doctor.ts'

// Everything that an examination can find, each in one sentence with what to do about it.

interface Cause {
  check: Check
  state: FindingState
  /** With values in braces. */
  text: string
}

const cause = (check: Check, state: FindingState, text: string): Cause => ({ check, state, text })

export const causes = {
  clock_right: cause('clock', 'ok', '{seconds} s de diferença para {other}'),
  clock_wrong: cause(
    'clock',
    'fault',
    'O relógio deste servidor e {other} diferem {seconds} s: acerte os dois por NTP.',
  ),
  clock_alone: cause('clock', 'skipped', 'Sem outro relógio com que comparar o deste servidor'),

  database_right: cause('database', 'ok', 'PostgreSQL {version} responde em {ms} ms'),
  database_slow: cause(
    'database',
    'warning',
    'O banco de dados demora {ms} ms para responder: confira a carga dele e a rede até ele.',
  ),

  disk_right: cause('disk', 'ok', '{free} livres de {total}'),
  disk_low: cause(
    'disk',
    'warning',
    'Restam {free} de {total} no disco de {folder}: libere espaço ou aumente o disco.',
  ),
  disk_full: cause(
    'disk',
    'fault',
    'Restam só {free} no disco de {folder}, e nenhum arquivo é mais aceito: libere espaço já.',
  ),

  files_right: cause('files', 'ok', '{size} gravados e lidos de volta em {ms} ms'),
  files_failing: cause(
    'files',
    'fault',
    'Um arquivo de prova não foi gravado e lido de volta em {place} ({code}): ' +
      'confira as permissões e o espaço.',
  ),
  files_waiting: cause('files', 'skipped', 'Nada é gravado enquanto o disco está cheio'),

  permissions_right: cause('permissions', 'ok', 'Só a conta do servidor lê {folder}'),
  permissions_denied: cause(
    'permissions',
    'fault',
    'O servidor não pode gravar em {folder}: dê a pasta à conta com que ele roda (chown).',
  ),
  permissions_open: cause(
    'permissions',
    'warning',
    'Outras contas desta máquina podem ler {path}: tire delas esse direito com chmod {mode}.',
  ),
  permissions_elsewhere: cause('permissions', 'skipped', 'Este sistema não tem permissões para conferir'),

  tls_right: cause('tls', 'ok', 'O certificado de {host} vale até {until}'),
  tls_absent: cause(
    'tls',
    'warning',
    'Senhas e mensagens passam abertas pela rede: ' +
      'ponha um proxy com HTTPS na frente e defina PUBLIC_URL com https://.',
  ),
  tls_ending: cause(
    'tls',
    'warning',
    'O certificado de {host} vence em {until}: renove-o, ou confira por que não se renovou.',
  ),
  tls_refused: cause(
    'tls',
    'fault',
    'O certificado de {host} não é aceito ({code}), nem por navegadores nem pela Evolution API: troque-o.',
  ),
  tls_unseen: cause(
    'tls',
    'skipped',
    '{host} não responde daqui ({code}), o que alguns roteadores não permitem',
  ),
  tls_unneeded: cause('tls', 'skipped', 'A demonstração não precisa de HTTPS'),

  gateway_right: cause('gateway', 'ok', 'Evolution API {release} aceita a chave e responde em {ms} ms'),
  gateway_none: cause('gateway', 'skipped', 'Nenhuma conexão configurada ainda'),
  gateway_inactive: cause('gateway', 'skipped', 'A conexão está desativada'),
  gateway_sealed: cause(
    'gateway',
    'fault',
    'A chave da API foi guardada com outra SECRET_KEY, e não pode mais ser lida: ' +
      'volte à anterior, ou informe a chave de novo.',
  ),
  gateway_address_refused: cause(
    'gateway',
    'fault',
    '{host} é um endereço particular, que só é chamado se for declarado: ' +
      'inclua-o em GATEWAY_ALLOWED_HOSTS e reinicie o servidor.',
  ),
  gateway_unknown_name: cause(
    'gateway',
    'fault',
    'Este servidor não encontra o nome {host} ({code}): confira a URL base e o DNS.',
  ),
  gateway_bad_certificate: cause(
    'gateway',
    'fault',
    'A conexão segura com {host} não é aceita ({code}): confira o certificado dele, e se a porta é de HTTPS.',
  ),
  gateway_silent: cause(
    'gateway',
    'fault',
    'Nada responde em {host} ({code}): confira se a Evolution API está ligada e se a URL base está certa.',
  ),
  gateway_redirects: cause(
    'gateway',
    'fault',
    'Um proxy em {host} redireciona ({status}) em vez de responder: ' +
      'informe em URL base o endereço final, em geral com https://.',
  ),
  gateway_failing: cause(
    'gateway',
    'fault',
    '{host} responde com o erro {status}: veja o log da Evolution API e o do proxy à frente dela.',
  ),
  gateway_something_else: cause(
    'gateway',
    'fault',
    'O que responde em {host} não é a Evolution API ({status}): confira a URL base.',
  ),
  gateway_other_api: cause(
    'gateway',
    'fault',
    'O que responde em {host} é o Evolution Go, que tem outra API: informe em URL base uma Evolution API.',
  ),
  gateway_license: cause(
    'gateway',
    'fault',
    'Esta versão da Evolution API precisa de uma licença: ative-a no servidor dela.',
  ),
  gateway_key_refused: cause(
    'gateway',
    'fault',
    'A Evolution API recusou a chave: informe em Chave da API a AUTHENTICATION_API_KEY do servidor dela.',
  ),

  instance_right: cause('instance', 'ok', 'Existe na Evolution API'),
  instance_unknown: cause(
    'instance',
    'fault',
    'A Evolution API não tem a instância {name}: corrija o nome, ou use Mostrar QR code, que a cria.',
  ),

  number_open: cause('number', 'ok', 'Conectado ao WhatsApp'),
  number_connecting: cause(
    'number',
    'fault',
    'O número ainda não está conectado: leia o código com o celular, ou espere a reconexão.',
  ),
  number_closed: cause(
    'number',
    'fault',
    'O número não está conectado ao WhatsApp: use Mostrar QR code e leia o código com o celular dele.',
  ),

  webhook_right: cause('webhook', 'ok', 'Aponta para {url}, com nosso segredo'),
  webhook_absent: cause(
    'webhook',
    'mended',
    'A instância não tinha webhook: foi registrado agora, em {url}.',
  ),
  webhook_off: cause('webhook', 'mended', 'O webhook estava desligado na Evolution API: foi ligado agora.'),
  webhook_secret: cause(
    'webhook',
    'mended',
    'O webhook usava outro segredo, e tudo que ele trazia era recusado (401): foi registrado de novo agora.',
  ),
  webhook_events: cause(
    'webhook',
    'mended',
    'O webhook não trazia {events}: foi registrado de novo agora, com todos os eventos.',
  ),
  webhook_elsewhere: cause(
    'webhook',
    'fault',
    'O webhook da instância aponta para {theirs}, e não para {url}: ' +
      'se nada mais o usa, clique em Configurar e conferir.',
  ),
  webhook_unset: cause(
    'webhook',
    'fault',
    'O webhook precisa ser registrado, e a Evolution API não o aceitou ({reason}): veja o log dela.',
  ),
  webhook_addressless: cause(
    'webhook',
    'fault',
    'A instância não tem webhook, e daqui não se sabe o endereço deste servidor: ' +
      'defina PUBLIC_URL, ou clique em Configurar e conferir na tela.',
  ),

  echo_right: cause('echo', 'ok', 'Um evento foi à Evolution API e voltou em {ms} ms'),
  echo_waits: cause('echo', 'skipped', 'A ida e volta só se confere com o número conectado'),
  echo_unheard: cause(
    'echo',
    'fault',
    'Um evento não voltou em {seconds} s: faça {url} ser alcançado de onde a Evolution API roda, ' +
      'ou informe em URL do webhook um endereço que seja.',
  ),
  echo_refused: cause(
    'echo',
    'fault',
    'A Evolution API nos alcança, mas com um segredo que não é o nosso (401): ' +
      'clique em Configurar e conferir.',
  ),
  echo_failed: cause(
    'echo',
    'fault',
    'A Evolution API não conseguiu mandar um evento de prova: use Reconectar, e veja o log dela.',
  ),
  echo_nobody: cause(
    'echo',
    'fault',
    'Um evento não voltou porque o servidor não está ligado nesta máquina: inicie-o com npm start.',
  ),

  media_right: cause('media', 'ok', '{size} vieram do WhatsApp em {seconds} s'),
  media_none: cause('media', 'skipped', 'Nenhum arquivo chegou nos últimos sete dias para buscar de novo'),
  media_failing: cause(
    'media',
    'fault',
    'A Evolution API não entrega os arquivos que chegam ({reason}): ' +
      'confira se ela alcança mmg.whatsapp.net, e se há espaço no disco dela.',
  ),
} as const satisfies Record<string, Cause>
