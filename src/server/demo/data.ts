import type { DemoContact } from './people.ts'

const day = 24 * 60

/** The contacts with a conversation open at the first start. All invented. */
export const demoContacts: readonly DemoContact[] = [
  {
    name: 'Kauã Nhambiquara',
    call: 'Kauã',
    isWoman: false,
    city: 'Manaus',
    weight: 2,
    phone: '5592991740388',
    category: 'Lead',
    tags: ['Manaus'],
    talks: [
      {
        sector: 'Comercial',
        priority: 'high',
        lines: [
          ['c', 46, 'Boa tarde! Vocês têm caixa de papelão 40×40?'],
          ['c', 45, 'Preciso de 40 unidades pra Manaus'],
          ['c', 34, 'Alguém pode me atender? Estou esperando o orçamento das 40 caixas'],
        ],
      },
    ],
  },
  {
    name: 'Thaís Conceição',
    call: 'Thaís',
    isWoman: true,
    city: 'Salvador',
    weight: 5,
    phone: '5571988201147',
    category: 'Suporte',
    company: 'Supermercado Ideal Ltda.',
    talks: [
      {
        sector: 'Suporte',
        with: 'carla',
        completedAgo: 2 * day,
        lines: [
          ['c', 2 * day + 60, 'Oi, a balança parou de parear com o sistema'],
          ['o', 2 * day + 52, 'Oi, Thaís! Desliga por 10 segundos e segura o botão azul até piscar.'],
          ['c', 2 * day + 31, 'Consegui parear de novo, obrigada!'],
          ['o', 2 * day + 30, 'Que bom! Qualquer coisa é só chamar.'],
        ],
      },
      {
        sector: 'Suporte',
        lines: [
          ['c', 22, 'Oi, tudo bem?'],
          ['c', 21, 'o leitor de código de barras parou de novo 😩'],
        ],
      },
    ],
  },
  {
    name: 'Padaria Pão & Cia — Jd. São Luís',
    call: 'Sandra',
    isWoman: true,
    city: 'São Paulo',
    weight: 5,
    phone: '551158214406',
    category: 'Cliente',
    company: 'Pão & Cia Panificadora',
    talks: [{ sector: 'Comercial', lines: [['c', 12, 'Bom dia! O pedido de sacos kraft sai hoje?']] }],
  },
  {
    name: 'خالد للأقمشة',
    call: 'Khaled',
    isWoman: false,
    city: 'São Paulo',
    weight: 0,
    phone: '5511964107752',
    category: 'Lead',
    identity: 'pn-with-lid',
    talks: [{ priority: 'low', lines: [['c', 3, 'مرحبا، هل لديكم أكياس ورق؟']] }],
  },
  {
    name: 'Dona Zefinha 🌻',
    call: 'dona Zefinha',
    isWoman: true,
    city: 'Recife',
    weight: 6,
    phone: '5581991237788',
    category: 'Cliente',
    notes: 'Prefere áudio curto. Atende melhor de manhã.',
    talks: [
      {
        sector: 'Comercial',
        with: 'ana',
        lines: [
          ['c', 95, 'Bom dia minha filha, chegou a encomenda?'],
          ['o', 92, 'Bom dia, dona Zefinha! Saiu agora há pouco, chega até as 16h.'],
          ['c', 2, 'Bom dia minha filha, chegou tudo certinho viu 🙏'],
        ],
      },
    ],
  },
  {
    name: 'José Antônio Guimarães Sobrinho',
    call: 'seu José',
    isWoman: false,
    city: 'Belo Horizonte',
    weight: 6,
    phone: '5531996529014',
    category: 'Cliente',
    company: 'Guimarães & Filhos Materiais',
    email: 'jose@guimaraesefilhos.example',
    talks: [
      {
        sector: 'Financeiro',
        moved: ['ana', 38, 'Segunda via da nota 46.880. O cadastro dele já está certo.'],
        with: 'bruno',
        lines: [
          ['c', 40, 'Boa tarde, preciso da segunda via da nota 46.880'],
          ['o', 36, 'Boa tarde, seu José! Sai no CNPJ da matriz ou da filial?'],
          ['c', 13, 'Perfeito, pode faturar no CNPJ da filial então'],
        ],
      },
    ],
  },
  {
    name: 'Grasiele Fonseca Müller',
    call: 'Grasi',
    isWoman: true,
    city: 'Joinville',
    weight: 5,
    phone: '5547984133654',
    category: 'Cliente',
    talks: [
      {
        sector: 'Financeiro',
        with: 'admin',
        lines: [
          ['c', 70, 'Oi! O boleto venceu ontem, consegue gerar outro?'],
          ['o', 20, 'Oi Grasi, segue a segunda via com o vencimento novo.'],
        ],
      },
    ],
  },
  {
    name: 'Maria Aparecida de Albuquerque Cavalcanti',
    call: 'Maria',
    isWoman: true,
    city: 'São Paulo',
    weight: 10,
    phone: '5511987342210',
    category: 'VIP',
    company: 'Mercadinho Bom Preço',
    email: 'compras@bompreco.example',
    tags: ['café', 'entrega agendada', 'Vila Mariana'],
    notes:
      'Prefere receber antes das 11h. Portaria do Seu Anselmo fecha para o almoço; ligar para o celular.',
    talks: [
      {
        sector: 'Financeiro',
        with: 'ana',
        completedAgo: 29 * day,
        lines: [
          ['c', 29 * day + 20, 'Bom dia, segunda via do boleto de outubro por favor'],
          ['o', 29 * day + 8, 'Bom dia! Enviada no seu e-mail agora.'],
          ['c', 29 * day + 6, 'Recebi, obrigada!'],
        ],
      },
      {
        sector: 'Suporte',
        with: 'admin',
        priority: 'high',
        lines: [
          ['c', 180, 'Bom dia! A entrega de hoje vem que horas?'],
          ['o', 176, 'Bom dia! A entrega saiu às 8h40, viu?'],
          ['c', 8, 'O rapaz chegou mas deixou no prédio do lado 🙈'],
          ['c', 7, 'E dá pra trocar o endereço da entrega?'],
        ],
      },
    ],
  },
  {
    name: 'Cooperativa Agrícola Vale do Ribeira',
    call: 'Osvaldo',
    isWoman: false,
    city: 'Registro',
    weight: 4,
    phone: '551338412200',
    category: 'Fornecedor',
    company: 'Coop. Vale do Ribeira',
    talks: [
      {
        sector: 'Comercial',
        with: 'bruno',
        lines: [
          ['c', 3 * 60 + 40, 'Boa tarde. Quando vem a coleta?'],
          ['o', 3 * 60, 'A coleta ficou para sexta, dia 20.'],
        ],
      },
    ],
  },
  {
    name: 'Íris Nakagawa',
    call: 'Íris',
    isWoman: true,
    city: 'Londrina',
    weight: 4,
    phone: '5543991075528',
    category: 'general',
    talks: [
      {
        sector: 'Comercial',
        with: 'elisa',
        priority: 'low',
        lines: [
          ['c', 4 * 60, 'Oi, quanto fica o milheiro da fita personalizada?'],
          ['o', 3 * 60 + 50, 'Oi, Íris! O milheiro sai R$ 189,00 com uma cor.'],
          ['c', 3 * 60 + 20, 'Vou falar com meu sócio e te aviso!'],
        ],
      },
    ],
  },
  {
    name: 'Wellington dos Santos Jr.',
    call: 'Wellington',
    isWoman: false,
    city: 'Rio de Janeiro',
    weight: 5,
    phone: '5521988887777',
    category: 'Suporte',
    identity: 'lid',
    talks: [
      {
        sector: 'Suporte',
        with: 'carla',
        lines: [
          ['c', 70, 'A seladora não esquenta'],
          ['o', 62, 'Enviei o passo a passo em PDF 👍'],
        ],
      },
    ],
  },
  {
    name: 'Luiz Otávio Brandão',
    call: 'Luiz',
    isWoman: false,
    city: 'Goiânia',
    weight: 6,
    phone: '5562999440021',
    category: 'Fornecedor',
    company: 'Transportadora Rota Sul',
    sector: 'Financeiro',
    talks: [
      {
        with: 'ana',
        lines: [
          ['c', 30, 'Segue o espelho da nota 9.114'],
          ['o', 28, 'Recebido, Luiz! Confiro e te retorno.'],
          ['c', 6, 'Ok, fico no aguardo'],
        ],
      },
    ],
  },
  {
    name: 'Antonella D’Ávila',
    call: 'Antonella',
    isWoman: true,
    city: 'Porto Alegre',
    weight: 3,
    phone: '5551998765432',
    category: 'Lead',
    talks: [
      {
        sector: 'Comercial',
        with: 'bruno',
        completedAgo: 35,
        lines: [
          ['c', 80, 'Vocês personalizam sacola com logo?'],
          ['o', 74, 'Personalizamos a partir de 500 unidades!'],
          ['c', 50, 'Combinado, retorno até as 16h.'],
        ],
      },
    ],
  },
]
