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
import { sample, type SampleGroup } from './sample-group.ts'

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
    sample(ContactRound, 'Vários contatos', () => ({
      kind: 'contact',
      contacts: [
        card('Zefa da Feira', '+55 11 98765-4320'),
        card('Ivo Eletricista', '+55 11 98765-4321'),
        card('Lia Contadora', '+55 11 98765-4322'),
        card('Nair Costureira', '+55 11 98765-4323'),
      ],
    })),
    sample(Radio, 'Localização em tempo real', (typed) => ({
      kind: 'liveLocation',
      ...warehouse,
      accuracyMetres: 12,
      caption: typed || 'Estou chegando',
    })),
    sample(UsersRound, 'Convite para grupo', (typed) => ({
      kind: 'groupInvite',
      groupName: 'Moradores do Aurora',
      code: 'AbCdEf123',
      caption: typed || 'Entra no nosso grupo!',
    })),
  ],
}

const texts: SampleGroup = {
  title: 'Texto',
  items: [
    sample(Forward, 'Texto encaminhado', (typed) => ({
      kind: 'text',
      text: typed || 'Recado do fornecedor: atrasa um dia',
      forwarded: true,
    })),
    sample(Timer, 'Mensagem temporária', (typed) => ({
      kind: 'text',
      text: typed || 'Esta some em um dia',
      wrap: 'ephemeral',
    })),
    sample(Megaphone, 'Texto vindo de um anúncio', (typed) => ({
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
    })),
  ],
}

const answers: SampleGroup = {
  title: 'Respostas',
  items: [
    sample(ListChecks, 'Resposta de lista', (typed) => ({
      kind: 'listReply',
      title: typed || 'Segunda via do boleto',
      rowId: 'boleto',
      description: 'Financeiro',
    })),
    sample(SquareMousePointer, 'Resposta de botão', (typed) => ({
      kind: 'buttonReply',
      text: typed || 'Sim, pode entregar',
      buttonId: 'sim',
    })),
    sample(LayoutTemplate, 'Resposta de modelo', (typed) => ({
      kind: 'templateReply',
      text: typed || 'Quero falar com alguém',
      buttonId: 'pessoa',
    })),
    sample(ClipboardCheck, 'Resposta de formulário', (typed) => ({
      kind: 'interactiveReply',
      text: typed || 'Formulário enviado',
      name: 'flow',
    })),
  ],
}

const others: SampleGroup = {
  title: 'Loja e outros',
  items: [
    sample(ShoppingCart, 'Pedido', (typed) => ({
      kind: 'order',
      title: 'Caixas para mudança',
      itemCount: 3,
      amount: 12_990,
      ...(typed !== '' && { message: typed }),
    })),
    sample(Package, 'Produto', (typed) => ({
      kind: 'product',
      title: 'Fita adesiva 45 mm',
      description: typed || 'Ainda tem este?',
      amount: 1_490,
      retailerId: 'FITA-45',
    })),
    sample(MessageCircleQuestionMark, 'Tipo desconhecido', () => ({
      kind: 'unknown',
      messageType: 'newKindMessage',
      raw: { newKindMessage: { name: 'Um tipo que ainda não existe' } },
    })),
  ],
}

/** The kinds behind 'Mais tipos…', generated in the browser. */
export const sampleGroups: SampleGroup[] = [mediaSamples, people, texts, answers, others]
