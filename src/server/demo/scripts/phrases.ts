import { script } from './script.ts'

/** Phrases that fit any scenario. For the slots see history/facts.ts. */

/** Small questions asked in passing. */
export const asides = [
  script(
    'aniversário',
    [],
    1,
    'c Ah, e parabéns pelos 15 anos da loja! Vi no Instagram\no Obrigad{op_o}! Tem promoção até sexta 🎉',
  ),
  script(
    'pix',
    [],
    2,
    `
c Vocês aceitam Pix? | Qual a chave Pix?
o Aceitamos: financeiro@emporioaurora.example | A chave é o e-mail financeiro@emporioaurora.example.`,
  ),
  script(
    'fita',
    [],
    2,
    `
c Aproveitando: tem fita marrom? | E fita transparente, tem?
o Tem, a caixa com 36 sai a R$ 158,00. | Tem sim, R$ 4,90 o rolo de 100 metros.`,
  ),
  script(
    'catálogo novo',
    [],
    1,
    `
c Saiu catálogo novo? | Tem novidade?
o @doc Catálogo Empório Aurora.pdf | Saiu semana passada! Te mando no e-mail.`,
  ),
  script(
    'cartão',
    [],
    1,
    `
c Passa cartão na entrega?
o Passa, o motorista leva a maquininha. | Na entrega só dinheiro ou Pix; cartão é por link.`,
  ),
  script(
    'chuva',
    [],
    1,
    `
c Aí também está chovendo assim? | Aqui está um calor...
o Aqui desabou o mundo agora há pouco 😅 | Por aqui também!`,
  ),
  script(
    'nota junto',
    [],
    2,
    `
c A nota vai junto com a mercadoria? | Vem com nota, né?
o Vai junto e o XML segue por e-mail. | Sempre com nota 👍`,
  ),
  script(
    'contato do comprador',
    [],
    1,
    `
c @contact {outro}; {fone}; {loja}
c Esse é o contato de quem vai comprar a partir de agora
o Salvo aqui, obrigad{op_o}!`,
  ),
  script(
    'pallet',
    [],
    1,
    `
c Vocês recolhem o palete vazio? | E o palete, devolvo?
o Recolhemos na próxima entrega. | Pode ficar com ele, se quiser.`,
  ),
  script(
    'prazo do crédito',
    [],
    1,
    `
c E aquele crédito que ficou do mês passado?
o Está lá: R$ {frete}. Quer usar agora? | Ainda não usou, são R$ {frete}.`,
  ),
  script(
    'telefone',
    [],
    1,
    'c Tem um telefone fixo para eu passar ao financeiro?\no (11) 2950-0318, ramal 2. | É o (11) 2950-0318.',
  ),
  script(
    'atendente',
    [],
    1,
    'c Antes eu falava com a Patrícia, ela saiu?\no Ela mudou para o compras; agora {op_a} {op} te atende 🙂',
  ),
  script(
    'logística reversa',
    [],
    1,
    `
c As caixas de vocês são recicladas?
o São 70% de papel reciclado, e todas recicláveis. | A linha kraft é 100% reciclada ♻️`,
  ),
  script(
    'indicação',
    [],
    1,
    `
c Indiquei vocês para a minha cunhada, tá? | Uma amiga vai chamar vocês, pode atender bem 😄
o Que gentileza! Diz para ela falar comigo. | Obrigad{op_o} pela indicação!`,
  ),
] as const

export const thanks = [
  'Obrigad{cli}!',
  'Muito obrigad{cli}!',
  'Obrigad{cli}, {op}!',
  'Valeu!',
  'Valeu, {op}',
  'Perfeito, obrigad{cli}',
  'Ok, obrigad{cli}',
  'Show, valeu',
  'Brigad{cli} 🙏',
  'Agradeço a atenção',
  'Tá ótimo, obrigad{cli}',
  '👍',
  '🙏',
  'Combinado então',
  'Obrigad{cli}, bom trabalho pra vocês',
  'Obrigad{cli}, {dia_bom}',
  'Top',
  'Ótimo, {op}. Obrigad{cli} mesmo',
  'Beleza',
  'Deus abençoe 🙏',
  'Maravilha',
  'Era só isso, obrigad{cli}',
  '@sticker',
  'ok',
] as const

export const closers = [
  'De nada! Qualquer coisa, é só chamar.',
  'Por nada, {nome}!',
  'Imagina! {dia_bom_maiusculo}',
  'Disponha!',
  'Eu que agradeço!',
  'Precisando, estou por aqui.',
  'Obrigad{op_o} você! {dia_bom_maiusculo}',
  'Conte com a gente, {nome}.',
  'Até a próxima!',
  '{dia_bom_maiusculo}',
  'Fico à disposição 😊',
  'Por nada! Boas vendas por aí.',
  'Tamo junto 💪',
  'Boa semana, {nome}!',
  'Eu que agradeço a preferência.',
  'Abraço!',
  'Por nada 🧡',
] as const

/** Added by operators with a thorough style. */
export const thorough = [
  'Só para deixar registrado: o pedido é o {pedido} e a entrega é em {bairro}.',
  'Se preferir, também posso mandar tudo por e-mail.',
  'Já deixei anotado no seu cadastro, assim você não precisa explicar de novo.',
  'Confirmei com a expedição agora, está tudo certo.',
  'Vou acompanhar e te escrevo quando mudar de status.',
  'Qualquer diferença na conferência, me manda foto que eu resolvo no mesmo dia.',
  'Uma dica: deixe as caixas longe do chão, por causa da umidade.',
  'Para o seu volume compensa comprar fardo fechado; depois te mostro a conta.',
  'Se chegar alguém diferente para receber, basta informar o número {pedido}.',
  'Anexei também a ficha técnica no e-mail, caso o comprador peça.',
  'Conferi o seu histórico: esta é a mesma medida de {passada}.',
  'O prazo conta em dias úteis, tudo bem?',
] as const

/** Sent by clients who have waited for hours. */
export const nudges = [
  'Oi?',
  'Alguém aí?',
  '?',
  'Estou aguardando',
  'Ainda estou esperando',
  'Bom, quando puder me responde',
  'Olá??',
  'Conseguiu ver?',
  'E aí, alguma novidade?',
  'Tem como agilizar, por favor?',
  'Vocês ainda estão atendendo?',
  'Preciso fechar isso hoje',
  '{op}?',
  'Vou acabar comprando em outro lugar',
  '@voice',
  '😕',
] as const

/** The apologies that follow. */
export const apologies = [
  'Desculpe a demora, estava em outro atendimento.',
  'Oi, voltei.',
  'Desculpa, só vi agora.',
  'Perdão pela espera!',
  'Estava no depósito, desculpe.',
  'Oi, estava em reunião.',
] as const

/** Sent to the wrong person and deleted. */
export const slips = [
  'Pode faturar no CNPJ da matriz, dona Lurdes',
  'Segue o boleto da Hamburgueria',
  'Amor, compra pão na volta',
  'O pedido 48.210 já saiu',
  'A comissão fecha dia 25?',
  'Opa, mensagem errada',
] as const

export const feedbacks: Record<1 | 2 | 3 | 4 | 5, readonly string[]> = {
  1: [
    'Demorou demais',
    'Péssimo, fiquei o dia todo esperando',
    'Não resolveu',
    'Tive que ligar para resolver',
    'Ninguém responde',
  ],
  2: ['Muita demora', 'Resolveu, mas tive que cobrar', 'Esperava mais', 'Atendimento fraco dessa vez'],
  3: ['Poderia ser mais rápido', 'Razoável', 'Resolveu em parte', 'Demorou um pouco', 'ok'],
  4: ['Bom atendimento', 'Tudo certo', 'Só demorou um pouquinho', 'Gostei', 'Bom'],
  5: [
    'Excelente!',
    'Muito atencios{op_o}',
    'Nota mil',
    'Resolveu tudo com paciência',
    'Sempre bem atendid{cli}',
    '{op} é demais!',
    'Rápido e educad{op_o}',
    '❤️',
    'Melhor atendimento',
    'Obrigad{cli}!',
  ],
}

/** Message types that the gateway cannot pass on. */
export const gatewayTypes = [
  'eventMessage',
  'listMessage',
  'albumMessage',
  'keepInChatMessage',
  'scheduledCallCreationMessage',
] as const
