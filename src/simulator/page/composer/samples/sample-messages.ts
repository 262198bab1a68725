import {
  ClipboardCheck,
  ContactRound,
  Forward,
  LayoutTemplate,
  ListChecks,
  Megaphone,
  MessageCircleQuestionMark,
  Package,
  Radio,
  ShoppingCart,
  SquareMousePointer,
  Timer,
  UsersRound,
} from 'lucide-react'
import type { PhoneMessage } from '#simulator/control-api.ts'
import { mediaSamples } from './sample-media.ts'
import type { SampleGroup } from './sample-group.ts'

const warehouse = { latitude: -23.5617, longitude: -46.656 }

export const samplePlace: PhoneMessage = {
  kind: 'location',
  ...warehouse,
  name: 'Galpão Bela Vista',
  address: 'Rua Treze de Maio, 1200, São Paulo',
}

function card(name: string, number: string) {
  return {
    name,
    phones: [{ number, waid: number.replace(/\D/g, '') }],
  }
}
export const sampleContact: PhoneMessage = {
  kind: 'contact',
  contacts: [
    {
      ...card('Seu Anselmo (portaria)', '+55 11 97012-8834'),
      organization: 'Condomínio Aurora',
      email: 'portaria@exemplo.com.br',
    },
  ],
}

const people: SampleGroup = {
  title: 'Contatos e localização',
  items: [
    {
      icon: ContactRound,
      label: 'Vários contatos',
      make: () => ({
        kind: 'contact',
        contacts: [
          card('Zefa da Feira', '+55 11 98765-4320'),
          card('Ivo Eletricista', '+55 11 98765-4321'),
          card('Lia Contadora', '+55 11 98765-4322'),
          card('Nair Costureira', '+55 11 98765-4323'),
        ],
      }),
    },
    {
      icon: Radio,
      label: 'Localização em tempo real',
      make: (typed) => ({
        kind: 'liveLocation',
        ...warehouse,
        accuracyMetres: 12,
        caption: typed || 'Estou chegando',
      }),
    },
    {
      icon: UsersRound,
      label: 'Convite para grupo',
      make: (typed) => ({
        kind: 'groupInvite',
        groupName: 'Moradores do Aurora',
        code: 'AbCdEf123',
        caption: typed || 'Entra no nosso grupo!',
      }),
    },
  ],
}

const texts: SampleGroup = {
  title: 'Texto',
  items: [
    {
      icon: Forward,
      label: 'Texto encaminhado',
      make: (typed) => ({
        kind: 'text',
        text: typed || 'Recado do fornecedor: atrasa um dia',
        forwarded: true,
      }),
    },
    {
      icon: Timer,
      label: 'Mensagem temporária',
      make: (typed) => ({ kind: 'text', text: typed || 'Esta some em um dia', wrap: 'ephemeral' }),
    },
    {
      icon: Megaphone,
      label: 'Texto vindo de um anúncio',
      make: (typed) => ({
        kind: 'text',
        text: typed || 'Vi o anúncio de vocês. Ainda está valendo?',
        context: {
          externalAdReply: {
            title: 'Caixas de papelão com 20% de desconto',
            body: 'Só nesta semana',
            sourceUrl: 'https://exemplo.com.br/anuncio',
            sourceId: '120210000000000000',
          },
        },
      }),
    },
  ],
}

const answers: SampleGroup = {
  title: 'Respostas',
  items: [
    {
      icon: ListChecks,
      label: 'Resposta de lista',
      make: (typed) => ({
        kind: 'listReply',
        title: typed || 'Segunda via do boleto',
        rowId: 'boleto',
        description: 'Financeiro',
      }),
    },
    {
      icon: SquareMousePointer,
      label: 'Resposta de botão',
      make: (typed) => ({ kind: 'buttonReply', text: typed || 'Sim, pode entregar', buttonId: 'sim' }),
    },
    {
      icon: LayoutTemplate,
      label: 'Resposta de modelo',
      make: (typed) => ({
        kind: 'templateReply',
        text: typed || 'Quero falar com alguém',
        buttonId: 'pessoa',
      }),
    },
    {
      icon: ClipboardCheck,
      label: 'Resposta de formulário',
      make: (typed) => ({ kind: 'interactiveReply', text: typed || 'Formulário enviado', name: 'flow' }),
    },
  ],
}

const others: SampleGroup = {
  title: 'Loja e outros',
  items: [
    {
      icon: ShoppingCart,
      label: 'Pedido',
      make: (typed) => ({
        kind: 'order',
        title: 'Caixas para mudança',
        itemCount: 3,
        amount: 12_990,
        ...(typed !== '' && { message: typed }),
      }),
    },
    {
      icon: Package,
      label: 'Produto',
      make: (typed) => ({
        kind: 'product',
        title: 'Fita adesiva 45 mm',
        description: typed || 'Ainda tem este?',
        amount: 1_490,
        retailerId: 'FITA-45',
      }),
    },
    {
      icon: MessageCircleQuestionMark,
      label: 'Tipo desconhecido',
      make: () => ({
        kind: 'unknown',
        messageType: 'newKindMessage',
        raw: { newKindMessage: { name: 'Um tipo que ainda não existe' } },
      }),
    },
  ],
}

/** The kinds behind 'Mais tipos…', generated in the browser. */
export const sampleGroups: SampleGroup[] = [mediaSamples, people, texts, answers, others]
