import { BookUser, CircleFadingPlus, History, Megaphone, UsersRound, type LucideIcon } from 'lucide-react'
import { simulatorApi } from '#simulator/page/data/api.ts'

interface OtherEvent {
  icon: LucideIcon
  label: string
  about: string
  /** Toast on success. */
  done: string
  send: (phoneId: string) => Promise<void>
}

/**
 * Events that are not messages of a chat: the console ignores them, or stores them without a new
 * conversation.
 */
export const otherEvents: OtherEvent[] = [
  {
    icon: UsersRound,
    label: 'Escrever em um grupo',
    about: 'O console ignora: grupo não é atendimento.',
    done: 'Mensagem enviada ao grupo',
    send: (id) => simulatorApi.sendElsewhere(id, { where: 'group', text: 'Pessoal, a reunião é às 19h' }),
  },
  {
    icon: CircleFadingPlus,
    label: 'Publicar um status',
    about: 'O console ignora.',
    done: 'Status publicado',
    send: (id) => simulatorApi.sendElsewhere(id, { where: 'status', text: 'Dia lindo em São Paulo!' }),
  },
  {
    icon: Megaphone,
    label: 'Publicar em um canal',
    about: 'O console ignora.',
    done: 'Publicado no canal',
    send: (id) => simulatorApi.sendElsewhere(id, { where: 'newsletter', text: 'Novidades da semana' }),
  },
  {
    icon: History,
    label: 'Sincronizar histórico',
    about: 'Entrega ao console a conversa inteira, como ao ligar o número. Nada aparece duas vezes.',
    done: 'Histórico enviado ao console',
    send: (id) => simulatorApi.syncHistory(id),
  },
  {
    icon: BookUser,
    label: 'Sincronizar agenda',
    about: 'Entrega ao console o contato deste celular, com nome e foto.',
    done: 'Contato enviado ao console',
    send: (id) => simulatorApi.syncContacts({ phones: [id] }),
  },
]
