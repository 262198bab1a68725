/** The companies of the demo. All invented. */
interface DemoCompany {
  name: string
  phone: string
  responsibleName: string
  isActive?: boolean
}

export const demoCompanies = [
  { name: 'Mercadinho Bom Preço', phone: '551155712280', responsibleName: 'Maria Aparecida Cavalcanti' },
  { name: 'Supermercado Ideal Ltda.', phone: '557133241905', responsibleName: 'Edvaldo Conceição' },
  { name: 'Pão & Cia Panificadora', phone: '551158214406', responsibleName: 'Sandra Regina Pacheco' },
  { name: 'Guimarães & Filhos Materiais', phone: '553134628810', responsibleName: 'José Antônio Guimarães' },
  { name: 'Coop. Vale do Ribeira', phone: '551338412200', responsibleName: 'Osvaldo Yamamoto' },
  { name: 'Transportadora Rota Sul', phone: '556232095540', responsibleName: 'Luiz Otávio Brandão' },
  { name: 'Doceria Flor de Maracujá', phone: '5531987116402', responsibleName: 'Lívia Sant’Anna' },
  {
    name: 'Cartonagem Serra Azul Indústria e Comércio de Papéis Ltda.',
    phone: '554133557120',
    responsibleName: 'Rubens Kowalski',
  },
  { name: 'Ateliê Moça Bonita', phone: '5581996330187', responsibleName: 'Jaciara Lins' },
  { name: 'Farmácia São Benedito', phone: '558532218876', responsibleName: 'Raimundo Nonato Façanha' },
  { name: 'Pizzaria Nonno Gino', phone: '551930427711', responsibleName: 'Gino Bertolucci Neto' },
  {
    name: 'Papelaria Arco-Íris (encerrada)',
    phone: '552125648093',
    responsibleName: 'Célia Marinho',
    isActive: false,
  },
] as const satisfies readonly DemoCompany[]

export type DemoCompanyName = (typeof demoCompanies)[number]['name']
