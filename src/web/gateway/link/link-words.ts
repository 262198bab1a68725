import type { ClosedReason, GatewayLink } from '#shared/gateway/gateway-link.ts'

/** What a number that is not connected says of itself, and what helps. */
interface LinkWords {
  title: string
  text: string
  /** The button that helps: asks for a code, opens the socket again, looks again, or leads to the switch. */
  act: 'connect' | 'restart' | 'look' | 'settings'
  label: string
}

const showCode = { act: 'connect', label: 'Mostrar QR code' } as const

const ofReason: Record<ClosedReason, (at: string) => LinkWords> = {
  codes: () => ({
    title: 'Nenhum código foi lido a tempo',
    text: 'Depois de muitos códigos sem leitura, a Evolution API para de gerá-los.',
    act: 'connect',
    label: 'Gerar novo código',
  }),
  phone: (at) => ({
    title: 'O celular encerrou esta conexão',
    text: `Alguém tocou em Sair nos aparelhos conectados${at}.`,
    ...showCode,
  }),
  us: (at) => ({
    title: 'Este número saiu do WhatsApp',
    text: `Um administrador saiu por aqui${at}.`,
    ...showCode,
  }),
  banned: (at) => ({
    title: 'O WhatsApp bloqueou este número',
    text:
      `O bloqueio veio do próprio WhatsApp${at}. ` +
      'Abra o WhatsApp no celular para ver o motivo e pedir a revisão.',
    act: 'connect',
    label: 'Tentar de novo',
  }),
  replaced: (at) => ({
    title: 'Outro programa usa esta conexão',
    text:
      `A mesma sessão foi aberta em outro lugar${at}, e as duas se derrubam. ` +
      'Feche a outra e reconecte aqui; se não souber onde ela está, ' +
      'saia do WhatsApp pelo celular e leia um código novo.',
    act: 'restart',
    label: 'Reconectar',
  }),
  timed_out: (at) => ({
    title: 'O WhatsApp parou de responder',
    text:
      `A conexão ficou sem resposta${at}, e esta versão da Evolution API encerra a sessão quando isso ` +
      'acontece: leia um código novo com o celular.',
    ...showCode,
  }),
}

/**
 * @param at ' às 14:21', or '' when it is not known
 * @returns undefined for a number that is connected, or that shows a code
 */
export function linkWords(link: GatewayLink, at: string): LinkWords | undefined {
  if (link.code || (link.state === 'open' && link.isActive)) return undefined
  if (!link.isActive)
    return {
      title: 'A conexão está desativada',
      text: 'Ligue “Conexão ativa” e salve: até lá nada chega e nada sai por este número.',
      act: 'settings',
      label: 'Ir para “Conexão ativa”',
    }
  if (link.state === 'unreachable')
    return {
      title: 'A Evolution API não responde',
      text: 'Confira se ela está ligada e se a URL base está certa.',
      act: 'look',
      label: 'Conferir de novo',
    }
  if (link.state === 'unauthorized')
    return {
      title: 'A Evolution API recusou a chave',
      text: 'A chave mudou no servidor dela. Informe a nova em Chave da API e salve.',
      act: 'look',
      label: 'Conferir de novo',
    }
  if (link.state === 'unlicensed')
    return {
      title: 'A Evolution API precisa de uma licença',
      text: 'A versão dela não faz nada até que a licença seja ativada no painel do servidor dela.',
      act: 'look',
      label: 'Conferir de novo',
    }
  if (link.reason) return ofReason[link.reason](at)
  if (link.state === 'connecting')
    return {
      title: 'Reconectando ao WhatsApp…',
      text: 'Quedas curtas são normais: a Evolution API volta sozinha em segundos.',
      act: 'restart',
      label: 'Reconectar',
    }
  return link.lastConnectedAt === null
    ? {
        title: 'Conecte o celular do número',
        text: 'O código aparece aqui, e você o lê com o WhatsApp do celular.',
        ...showCode,
      }
    : {
        title: 'O número está desconectado',
        text: 'A sessão com o WhatsApp terminou, e a Evolution API não disse por quê.',
        ...showCode,
      }
}

/** '12 mensagens esperam aqui e saem quando o número estiver conectado.' */
export function waitingWords(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? '1 mensagem espera aqui e sai quando o número estiver conectado.'
    : `${count} mensagens esperam aqui e saem quando o número estiver conectado.`
}

/** 'K7QF-2M9D' */
export const pairingWords = (code: string): string =>
  code.length === 8 ? `${code.slice(0, 4)}-${code.slice(4)}` : code
